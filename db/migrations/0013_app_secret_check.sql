CREATE TABLE "app_secret_check" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"mac" text NOT NULL,
	"next_mac" text,
	CONSTRAINT "app_secret_check_id_check" CHECK ("app_secret_check"."id" = 1)
);
