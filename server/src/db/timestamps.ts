import type { ColumnType } from "kysely";

/** A moment, which the database fills in where an insert leaves it out. */
export type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;

/** A moment or none; an insert says which. */
export type OptionalTimestamp = ColumnType<Date | null, Date | string | null, Date | string | null>;
