-- Functions that only functions of the previous version called. The next release drops this file.
DROP FUNCTION IF EXISTS amount_lock(text, text, bigint);
DROP FUNCTION IF EXISTS blocks_with_room(text, text, bigint, timestamptz);
DROP FUNCTION IF EXISTS closed_offsets(bigint, integer);
DROP FUNCTION IF EXISTS free_amounts(text, text, bigint, bigint, timestamptz);
DROP FUNCTION IF EXISTS held_amounts(text, text, text, bigint, bigint[]);
DROP FUNCTION IF EXISTS insert_quotes(quotes[], text[], bigint[], timestamptz);
DROP FUNCTION IF EXISTS is_cooled_down(text, text, text, timestamptz);
DROP FUNCTION IF EXISTS live_amounts(text, text, text, text, bigint, bigint[]);
DROP FUNCTION IF EXISTS may_overlap(text[], timestamptz);
DROP FUNCTION IF EXISTS offset_at_rank(integer);
DROP FUNCTION IF EXISTS reserve_crowded(text, text, text, text, text, text, bigint, numeric, timestamptz, timestamptz);
DROP FUNCTION IF EXISTS reserve_quotes(quotes[], timestamptz);
