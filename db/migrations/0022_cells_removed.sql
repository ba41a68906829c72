-- contract: the version before uses these tables only to register users and to add receiving addresses; both fail beside this one, change nothing, and can be repeated.
-- Refuses while another cell holds data: a schema of its name with merchants, or entries of its own in the directory of all cells.
DO $$
DECLARE
  schema record;
  has_rows boolean;
  found text;
BEGIN
  SELECT string_agg(format('Cell %s has %s receiving addresses and %s accounts in the directory.', cell, addresses, accounts), ' ' ORDER BY cell)
  INTO found
  FROM (
    SELECT cell, count(*) FILTER (WHERE kind = 'address') AS addresses, count(*) FILTER (WHERE kind = 'account') AS accounts
    FROM (
      SELECT cell, 'address' AS kind FROM "address_claims" UNION ALL SELECT cell, 'account' FROM "email_claims"
    ) claims
    WHERE cell <> '00'
    GROUP BY cell
  ) others;
  FOR schema IN
    SELECT n.nspname AS name, has_schema_privilege(n.oid, 'usage') AND has_table_privilege(c.oid, 'select') AS is_readable
    FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'merchants'
    WHERE n.nspname ~ '^cell_[0-9a-hjkmnp-tv-z]{2}$' AND n.nspname <> current_schema()
    ORDER BY 1
  LOOP
    has_rows := true;
    IF schema.is_readable THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %I.merchants)', schema.name) INTO has_rows;
    END IF;
    IF has_rows THEN
      found := concat_ws(' ', found, format('The schema %s holds merchants.', schema.name));
    END IF;
  END LOOP;
  IF found IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'SG001', MESSAGE = 'This version has no cells, and the shops of this installation are in several. Nothing was changed. '
      || found || ' Keep the previous version running until each cell is an installation of its own (docs/scaling.md, "From cells to installations").';
  END IF;
END $$;--> statement-breakpoint
DROP TABLE "address_claims";--> statement-breakpoint
DROP TABLE "email_claims";
