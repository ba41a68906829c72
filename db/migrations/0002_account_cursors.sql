CREATE TABLE "account_cursors" (
	"network" text NOT NULL,
	"account" text NOT NULL,
	"slot" bigint NOT NULL,
	CONSTRAINT "account_cursors_network_account_pk" PRIMARY KEY("network","account")
);
