-- contract: receiving_addresses_turn_idx has the same columns first, and the same condition, so that every statement of the previous version uses it instead
DROP INDEX "receiving_addresses_idle_idx";