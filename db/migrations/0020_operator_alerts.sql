CREATE TABLE "machine_reports" (
	"machine" text PRIMARY KEY NOT NULL,
	"report" jsonb NOT NULL,
	"reported_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_alerts" (
	"condition" text NOT NULL,
	"subject" text NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"told_at" timestamp (3) with time zone,
	CONSTRAINT "operator_alerts_condition_subject_pk" PRIMARY KEY("condition","subject")
);
--> statement-breakpoint
CREATE TABLE "operator_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"way" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_rounds" (
	"name" text PRIMARY KEY NOT NULL,
	"evaluated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outcome_counts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"network" text NOT NULL,
	"currency" text NOT NULL,
	"outcome" text NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "operator_messages_due_idx" ON "operator_messages" USING btree ("due_at");