import type { ColumnType, Generated } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type OptionalTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** What software noticed, what people decided, and what is kept of it (migrations 0008 and 0009). */
export interface ModerationTables {
  cases: CasesTable;
  evidence: EvidenceTable;
  claims: ClaimsTable;
  strikes: StrikesTable;
  appeals: AppealsTable;
  restraints: RestraintsTable;
  person_labels: PersonLabelsTable;
  unrelated_accounts: UnrelatedAccountsTable;
  removed_pictures: RemovedPicturesTable;
  signals: SignalsTable;
  sent_views: SentViewsTable;
  audit_log: AuditLogTable;
  restricted_access: RestrictedAccessTable;
  owed_beans: OwedBeansTable;
}

export interface CasesTable {
  id: Generated<bigint>;
  subject_id: bigint;
  /** reports, or restricted: suspected minors, for administrators. */
  box: string;
  reason_id: number;
  rule: string;
  /** 1 is the worst. */
  harm: number;
  call_id: string | null;
  message_id: bigint | null;
  /** open, second or decided. */
  state: Generated<string>;
  opened_at: Timestamp;
  changed_at: Timestamp;
  decided_at: OptionalTimestamp;
  decided_by: bigint | null;
  operation: number | null;
  /** The ban for good that the first moderator asked for. */
  asked_reason_id: number | null;
  asked_note: Generated<string>;
  lapses_at: OptionalTimestamp;
  explicit: number | null;
  model: string | null;
  shadow: Generated<boolean>;
  /** Of a warning: when the person was told. */
  told_at: OptionalTimestamp;
}

export interface EvidenceTable {
  id: Generated<bigint>;
  public_id: string;
  case_id: bigint;
  /** frame or lines. */
  kind: string;
  /** Of a frame: own or received. */
  view: string | null;
  at: Timestamp;
  /** Sealed bytes in blob storage; null once erased, and always in the restricted box. */
  blob_key: string | null;
  /** Perceptual hash and scores as JSON. */
  facts: Generated<string>;
  erase_at: Timestamp;
  erased_at: OptionalTimestamp;
}

export interface ClaimsTable {
  /** case:<id>, image:<public id> or appeal:<id>. */
  item: string;
  moderator_id: bigint;
  until: Timestamp;
}

export interface StrikesTable {
  id: Generated<bigint>;
  user_id: bigint;
  case_id: bigint | null;
  ban_id: bigint | null;
  /** A ban reason. */
  reason_id: number;
  at: Timestamp;
  expires_at: Timestamp;
  revoked_at: OptionalTimestamp;
}

export interface AppealsTable {
  id: Generated<bigint>;
  ban_id: bigint;
  user_id: bigint;
  ground: number;
  text: string;
  email: Generated<string>;
  language: string;
  /** received, upheld, shortened or lifted. */
  state: Generated<string>;
  at: Timestamp;
  answer_by: Timestamp;
  decided_at: OptionalTimestamp;
  decided_by: bigint | null;
  answer: Generated<string>;
  new_until: OptionalTimestamp;
  beans_returned: Generated<bigint>;
}

/** What a person may not do for a while, short of a ban. */
export interface RestraintsTable {
  id: Generated<bigint>;
  user_id: bigint;
  /** matching or chat. */
  what: string;
  rule: string;
  case_id: bigint | null;
  from_at: Timestamp;
  /** Null: until a person decides. */
  until: OptionalTimestamp;
  lifted_at: OptionalTimestamp;
}

export interface PersonLabelsTable {
  user_id: bigint;
  label_id: number;
  by_id: bigint;
  at: Timestamp;
}

/** Two accounts at one address of which a moderator said that they have nothing to do with each other. */
export interface UnrelatedAccountsTable {
  low_id: bigint;
  high_id: bigint;
  by_id: bigint;
  at: Timestamp;
}

/** Perceptual hashes of pictures that were removed, 16 hex digits each. */
export interface RemovedPicturesTable {
  id: Generated<bigint>;
  phash: string;
  mirrored: string;
  reason_id: number;
  at: Timestamp;
}

/** Who sent the pictures of somebody else that speak against them. */
export interface SentViewsTable {
  id: Generated<bigint>;
  sender_id: bigint;
  subject_id: bigint;
  call_id: string;
  at: Timestamp;
  /** Null: no case came of it. */
  case_id: bigint | null;
  /** Whether a person found it right; null until its case was decided. */
  was_right: boolean | null;
}

/** What software noticed about somebody; with `dry_run` nothing followed from it. */
export interface SignalsTable {
  id: Generated<bigint>;
  user_id: bigint;
  rule: string;
  dry_run: boolean;
  detail: Generated<string>;
  at: Timestamp;
}

/** Append only: every look and act of a moderator, and of software. */
export interface AuditLogTable {
  id: Generated<bigint>;
  at: Timestamp;
  /** Null: software. */
  actor_id: bigint | null;
  kind: string;
  subject_id: bigint | null;
  case_id: bigint | null;
  reason_id: number | null;
  note: Generated<string>;
  /** Facts as JSON. */
  detail: Generated<string>;
}

/** Append only: every reading of the restricted box. */
export interface RestrictedAccessTable {
  id: Generated<bigint>;
  at: Timestamp;
  actor_id: bigint;
  case_id: bigint | null;
  act: string;
}

/** Beans that a call is to give back to somebody; gone once it did. */
export interface OwedBeansTable {
  call_id: string;
  user_id: bigint;
  since: Timestamp;
  tries: Generated<number>;
}
