-- Functions that only functions of the previous version called. The next release drops this file.
DROP FUNCTION IF EXISTS amount_lock(text, text, bigint);
DROP FUNCTION IF EXISTS closed_offsets(bigint, integer);
DROP FUNCTION IF EXISTS held_amounts(text, text, text, bigint, bigint[]);
DROP FUNCTION IF EXISTS live_amounts(text, text, text, text, bigint, bigint[]);
DROP FUNCTION IF EXISTS reserve_crowded(text, text, text, text, text, text, bigint, numeric, timestamptz, timestamptz);
