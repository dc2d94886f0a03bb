/** The tables as the migrations leave them: written by `npm run db:types`, never by hand. */
import type { ColumnType } from "kysely";

type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** Age checks: result, method, vendor and day, and no picture, name, document or date of birth. */
interface AgeChecks {
  created_at: Timestamp;
  /** Only the day is kept from 30 days after the result on. */
  decided_at: Timestamp | null;
  expires_at: Timestamp | null;
  id: Generated<bigint>;
  method: "estimate" | "document" | "app" | null;
  /** When the server asks the vendor next. */
  next_ask_at: Timestamp | null;
  state: Generated<"pending" | "passed" | "failed" | "expired">;
  /** The vendor's page while the check is pending. */
  url: string | null;
  user_id: bigint;
  vendor: string;
  /** The vendor's number of the check; null before the vendor answered, and from 30 days after the result on. */
  vendor_ref: string | null;
  /** country: the policy of a country; asked: by a moderator. */
  why: "country" | "asked";
}

/** Under-age sign-ins: keyed hash of the identity and the day of the next attempt, but no birthday. */
interface AgeRefusals {
  identity_hash: string;
  try_again_on: string;
}

/** user_id does not want to be matched with other_id for a while. */
interface Aparts {
  other_id: bigint;
  until: Timestamp;
  user_id: bigint;
}

/** Appeals against bans, one a ban. */
interface Appeals {
  answer: Generated<string>;
  answer_by: Timestamp;
  at: Timestamp;
  ban_id: bigint;
  beans_returned: Generated<bigint>;
  decided_at: Timestamp | null;
  decided_by: bigint | null;
  email: Generated<string>;
  ground: number;
  id: Generated<bigint>;
  language: string;
  new_until: Timestamp | null;
  state: Generated<"received" | "upheld" | "shortened" | "lifted">;
  text: string;
  user_id: bigint;
}

/** Push subscription of the browser that gets the answer to an appeal; deleted afterwards. */
interface AppealSubscriptions {
  appeal_id: bigint;
  created_at: Timestamp;
  /** SHA-256 of the push service URL, hex. */
  endpoint_hash: string;
  /** Language of the notification. */
  language: string;
  /** UTC offset of the browser, in minutes. */
  offset_min: number;
  /** The URL and the browser's keys, encrypted under the hash. */
  sealed: Buffer;
  user_id: bigint;
}

/** Append-only: every access and action of moderators and of software. */
interface AuditLog {
  /** Null: software. */
  actor_id: bigint | null;
  at: Timestamp;
  case_id: bigint | null;
  /** Facts as JSON. */
  detail: Generated<string>;
  id: Generated<bigint>;
  kind: string;
  note: Generated<string>;
  reason_id: number | null;
  subject_id: bigint | null;
}

/** Requests of authorities, with their outcomes and holds; administrators only. */
interface AuthorityRequests {
  added_at: Timestamp;
  added_by: bigint;
  authority: string;
  /** Legal basis and reference, as the authority names them. */
  basis: string;
  closed_at: Timestamp | null;
  closed_by: bigint | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  due_at: Timestamp | null;
  /** Until then no job erases data of the account. */
  hold_until: Timestamp | null;
  id: Generated<bigint>;
  kind: "information" | "preservation" | "removal" | "emergency";
  outcome: "disclosed" | "done" | "refused" | "no_data" | null;
  /** Administrator who proposed disclosure, which another one has to agree to. */
  proposed_by: bigint | null;
  received_at: Timestamp;
  subject_id: bigint | null;
}

/** Bans of a user, with their early ends. */
interface Bans {
  /** Time of the call, once its partition was dropped. */
  call_at: Timestamp | null;
  call_id: string | null;
  case_id: bigint | null;
  created_at: Generated<Timestamp>;
  /** Null: software. */
  decided_by: bigint | null;
  /** lifted, shortened, replaced, lapsed or reopened. */
  ended_because: string | null;
  /** When it ended before until. */
  ended_early_at: Timestamp | null;
  id: Generated<bigint>;
  /** In force until a moderator decides. */
  is_provisional: Generated<boolean>;
  reason: Generated<string>;
  reason_id: number;
  /** Rule that caused it, where software decided. */
  rule: string | null;
  seconded_by: bigint | null;
  /** Number of the strike, 1 to 3; 0: none. */
  strike: Generated<number>;
  /** Null: permanent. */
  until: Timestamp | null;
  user_id: bigint;
}

/** An account of a user, with running figures, or of the house, without. */
interface BeanAccounts {
  balance: bigint | null;
  /** Sum of the open holds. */
  held: bigint | null;
  house: string | null;
  id: Generated<bigint>;
  user_id: bigint | null;
  /** Number of entries. */
  version: bigint | null;
}

/** Append-only: the newest row of a user is in force. Beans a UTC day; null: no cap. */
interface BeanCaps {
  asked_at: Timestamp;
  /** Cap from from_at on. */
  beans: bigint | null;
  /** Cap before from_at. */
  beans_until: bigint | null;
  from_at: Timestamp;
  id: Generated<bigint>;
  user_id: bigint;
}

/** Append-only: two entries a transfer, with opposite signs. */
interface BeanEntries {
  account_id: bigint;
  /** Null for accounts of the house. */
  account_version: bigint | null;
  amount: bigint;
  /** Null for accounts of the house. */
  balance_after: bigint | null;
  transfer_id: bigint;
}

/** Append-only: the settlement of a hold; a hold without a row is open. */
interface BeanHoldEnds {
  /** Beans that were posted; the rest was released. */
  amount: bigint;
  at: Timestamp;
  hold_id: bigint;
  /** Null where no beans were posted. */
  transfer_id: bigint | null;
}

/** Append-only: beans held for a transfer to filter-revenue. */
interface BeanHolds {
  account_id: bigint;
  amount: bigint;
  at: Timestamp;
  id: Generated<bigint>;
  key: string;
  reference: string;
}

/** Append-only: one transfer of beans between two accounts. */
interface BeanTransfers {
  amount: bigint;
  at: Timestamp;
  from_account: bigint;
  id: Generated<bigint>;
  key: string;
  kind: "purchase" | "call" | "credit" | "refund" | "dispute_opened" | "dispute_won" | "adjustment";
  overdraft: boolean;
  reason: string | null;
  /** Order number or call id. */
  reference: string;
  to_account: bigint;
}

/** user_id blocks other_id. */
interface Blocks {
  at: Timestamp;
  other_id: bigint;
  user_id: bigint;
}

/** Append-only: events of a call, without texts and pictures. */
interface CallEvents {
  at: Timestamp;
  call_id: string;
  kind: string;
  user_id: bigint | null;
}

/** Price a minute of paid calls whose partition was dropped, for the payer's statement. */
interface CallPrices {
  call_id: string;
  price: number;
  user_id: bigint;
}

/** Calls, partitioned by UTC day. */
interface Calls {
  answerer_id: bigint;
  /** Beans a minute, fixed at the match. */
  answerer_price: number;
  /** When both sides had video; null: never. */
  connected_at: Timestamp | null;
  end_reason: "next" | "stop" | "left" | "not_joined" | "lost" | "kicked" | "banned" | "restart" | "violation" | "unchecked" | null;
  ended_at: Timestamp | null;
  id: string;
  matched_at: Timestamp;
  offerer_id: bigint;
  /** Beans a minute, fixed at the match. */
  offerer_price: number;
  /** Server that hosts the room, or hosted it last; null: none. */
  owner: string | null;
  /** Fencing number: each server that takes the call over raises it, and charging requires the current one. */
  owner_epoch: Generated<number>;
}

/** Cases about a user, and their decisions. */
interface Cases {
  asked_note: Generated<string>;
  /** Reason of the permanent ban that waits for a second opinion. */
  asked_reason_id: number | null;
  /** Time of the call, once its partition was dropped. */
  call_at: Timestamp | null;
  call_id: string | null;
  changed_at: Timestamp;
  decided_at: Timestamp | null;
  decided_by: bigint | null;
  /** Age in years that software estimated from pictures; only in the restricted queue, and null from the decision on. */
  estimated_age: number | null;
  explicit: number | null;
  /** 1 is the most severe. */
  harm: number;
  id: Generated<bigint>;
  lapses_at: Timestamp | null;
  message_id: bigint | null;
  model: string | null;
  opened_at: Timestamp;
  operation: number | null;
  /** restricted: suspected minors, administrators only. */
  queue: "reports" | "restricted";
  reason_id: number;
  rule: string;
  shadow: Generated<boolean>;
  state: Generated<"open" | "second" | "decided">;
  subject_id: bigint;
}

/** Items that a moderator works on, each until a time. */
interface Claims {
  /** case:<id>, image:<public id>, appeal:<id>, text:<id>, notice:<id> or sample:<public id>. */
  item: string;
  moderator_id: bigint;
  until: Timestamp;
}

/** Conversations between two users. */
interface Conversations {
  /** The request was accepted: both may write, friends or not. */
  accepted: Generated<boolean>;
  created_at: Timestamp;
  high_id: bigint;
  id: Generated<bigint>;
  low_id: bigint;
  /** Sender of the open request; null once accepted, or where both were friends from the start. */
  requested_by: bigint | null;
}

/** A conversation from one user's side: list entry and unread count. */
interface ConversationSides {
  conversation_id: bigint;
  /** This side declined the request and no longer sees it. */
  declined: Generated<boolean>;
  last_message_id: bigint;
  other_id: bigint;
  /** Id of the newest read message; 0: none. */
  read_up_to: Generated<bigint>;
  /** The other user's request waits for this side's answer. */
  request: Generated<boolean>;
  unread_count: Generated<number>;
  user_id: bigint;
}

/** What browsers refused under the content security policy, counted by UTC day; deleted after 30 days. */
interface CspReports {
  /** A host, a scheme such as data, or a keyword such as inline. */
  blocked: string;
  count: bigint;
  day: string;
  directive: string;
  /** Path of the page, without its query. */
  path: string;
}

/** Counts of each UTC day for administrators, without users. */
interface DailyFigures {
  day: string;
  name: string;
  /** Subdivision, such as the wish of a search; empty: the whole. */
  part: Generated<string>;
  value: bigint;
}

/** The latest data export of a user. */
interface DataExports {
  begun_at: Timestamp;
  file_key: string | null;
  /** Server that prepares the export, or did last. */
  owner: string | null;
  percent: Generated<number>;
  size_bytes: number | null;
  state: "preparing" | "ready" | "failed";
  until: Timestamp | null;
  user_id: bigint;
}

/** When moderators last had the desk open. */
interface DeskShifts {
  seen_at: Timestamp;
  /** When the desk was opened after the last absence. */
  since_at: Timestamp;
  user_id: bigint;
}

/** Handover notes of moderators, and the answers that they store for appeals. */
interface DeskTexts {
  at: Timestamp;
  text: string;
  user_id: bigint;
  what: "handover" | "answer1" | "answer2" | "answer3";
}

/** Evidence of a case; its bytes are sealed in blob storage. */
interface Evidence {
  at: Timestamp;
  /** Key of the sealed bytes in blob storage; null once erased, and always in the restricted queue. */
  blob_key: string | null;
  case_id: bigint;
  erase_at: Timestamp;
  erased_at: Timestamp | null;
  /** Perceptual hash and scores as JSON. */
  facts: Generated<string>;
  id: Generated<bigint>;
  kind: "frame" | "lines" | "note";
  public_id: string;
  /** Of a note: its report. No foreign key: the report may be deleted first. */
  report_id: bigint | null;
  /** Of a frame: the sender's own picture, or the received one. */
  view: "own" | "received" | null;
}

/** One row: current filter prices in beans a minute. */
interface FilterPrices {
  country: number;
  gender: number;
  gender_and_country: number;
  id: Generated<number>;
}

/** user_id follows other_id. */
interface Follows {
  at: Timestamp;
  other_id: bigint;
  user_id: bigint;
}

/** Number of a user's matches with free seconds, on the latest UTC day with any. */
interface FreeMatches {
  /** The last of them, so that a retry counts once. */
  call_id: string;
  day: string;
  matches: number;
  user_id: bigint;
}

/** Accounts at Google, Facebook or Apple with which a user signs in. */
interface Identities {
  login_type: number;
  third_party_id: string;
  user_id: bigint;
}

/** Uploaded pictures with their review: avatars, photos and unused uploads. */
interface Images {
  blob_key: string;
  created_at: Timestamp;
  decided_at: Timestamp | null;
  decided_by: bigint | null;
  /** 0 to 1; null: not judged by the models. */
  explicit: number | null;
  height: number;
  /** Hidden from others by an undecided notice that names it; otherwise null. */
  hidden_at: Timestamp | null;
  id: Generated<bigint>;
  kind: Generated<"unused" | "avatar" | "photo">;
  /** Perceptual hash, 16 hex digits. */
  phash: string | null;
  position: Generated<number>;
  /** Id outside the server. */
  public_id: string;
  reason_id: number | null;
  removed_at: Timestamp | null;
  status: Generated<"pending" | "approved" | "refused">;
  thumb_key: string;
  user_id: bigint;
  /** Why a moderator reviews it. */
  why: Generated<"unsure" | "reported" | "contact" | "like_removed" | "random" | "new">;
  width: number;
}

/** Links by which other_id, who opened one first, can be called by user_id, who made it. Deleted after the call. */
interface Invitations {
  at: Timestamp;
  /** SHA-256 of the token in the link, base64url. */
  id: string;
  /** Null until a user has opened the link. */
  other_id: bigint | null;
  until: Timestamp;
  user_id: bigint;
}

/** The last run of each periodic job; the next run is in graphile_worker.jobs. */
interface JobRuns {
  failures: bigint;
  last_failed_at: Timestamp | null;
  name: string;
  ran_at: Timestamp;
  runs: bigint;
  /** Duration of the last run, failed or not. */
  took_ms: number;
}

/** Kind words after a call, from user_id to other_id; deleted a day after they were written or read. */
interface KindWords {
  at: Timestamp;
  call_id: string;
  other_id: bigint;
  read_at: Timestamp | null;
  user_id: bigint;
  /** Which of the closed choices; texts are in the catalogs. */
  word: number;
}

/** Exclusive work of one server: fencing number, and current or last holder. */
interface Leases {
  epoch: bigint;
  held_at: Timestamp;
  holder: string;
  name: string;
}

/** user_id likes other_id. */
interface Likes {
  at: Timestamp;
  other_id: bigint;
  user_id: bigint;
}

/** IP address, device and browser of each sign-in. */
interface LoginEvents {
  at: Generated<Timestamp>;
  device_id: string;
  id: Generated<bigint>;
  ip: string;
  user_agent: string;
  user_id: bigint;
}

/** Mail addresses that users typed themselves. */
interface MailAddresses {
  confirmed_at: Timestamp | null;
  /** Ids of mailKinds (wire/src/mails.ts) that the user chose. */
  kinds: Generated<number[]>;
  /** When the link to confirm it was made. */
  pending_at: Timestamp | null;
  /** An address that waits for its confirmation. */
  pending_sealed: Buffer | null;
  /** The confirmed address, encrypted under the user's id; null before the first confirmation. */
  sealed: Buffer | null;
  user_id: bigint;
}

/** Outbox of mails; kept for 30 days, so that no mail is sent twice. */
interface Mails {
  created_at: Timestamp;
  /** Next attempt. */
  due_at: Timestamp | null;
  ended_at: Timestamp | null;
  id: Generated<bigint>;
  language: string;
  /** What the mail is about, such as an appeal. */
  matter: string;
  /** JSON: address and facts, encrypted; null once the mail is sent or given up. */
  sealed: Buffer | null;
  state: Generated<"waiting" | "sent" | "bounced" | "failed">;
  template: string;
  /** Keyed hash of the address, to count its mails. */
  to_hash: string;
  /** Attempts so far. */
  tries: Generated<number>;
  /** Null: the sender of a notice, who may have no account. */
  user_id: bigint | null;
}

/** Filters that a user chose last. */
interface MatchFilters {
  country: number;
  sex: number;
  updated_at: Generated<Timestamp>;
  user_id: bigint;
}

/** Requests for one notification when a fitting user searches. */
interface MatchSubscriptions {
  /** 0 worldwide, -1 balanced, otherwise a country id. */
  country_id: number;
  created_at: Timestamp;
  /** Country of the user at the request; 0: unknown. */
  own_country_id: number;
  /** Sex of the user at the request. */
  own_sex: number;
  /** 0 both, 1 men, 2 women. */
  sex: number;
  until: Timestamp;
  user_id: bigint;
}

/** user_id would like to meet other_id again. */
interface MeetWishes {
  at: Timestamp;
  other_id: bigint;
  /** user_id was sent the notification that both want to meet again. */
  told: Generated<boolean>;
  user_id: bigint;
}

/** The last message of a conversation for which the user got a notification. */
interface MessageNotifications {
  at: Timestamp;
  message_id: bigint;
  other_id: bigint;
  user_id: bigint;
}

/** Messages of a conversation; erased ones have an empty text. */
interface Messages {
  client_id: string;
  conversation_id: bigint;
  /** Why the text is covered until its reader uncovers it; null: not covered. */
  cover: "insult" | "threat" | "hate" | "solicitation" | null;
  id: Generated<bigint>;
  kind: "text" | "met" | "missed";
  /** The reaction of the reader; null: none. */
  reaction: "heart" | "laugh" | "wow" | "thumb" | "wave" | "party" | null;
  sender_id: bigint;
  sent_at: Timestamp;
  text: string;
}

/** Pictures that a notice names by their address. */
interface NoticePictures {
  image_id: bigint;
  notice_id: bigint;
}

/** Notices about content by anybody, with or without an account, and their decisions. */
interface Notices {
  at: Timestamp;
  decided_at: Timestamp | null;
  decided_by: bigint | null;
  due_at: Timestamp;
  id: Generated<bigint>;
  kind: "minor" | "intimate" | "illegal" | "rights";
  /** Perceptual hash of the sender's picture, 16 hex digits; null without one, and once erased. */
  phash: string | null;
  /** The moderator's question to the sender, in state asked. */
  question: Generated<string>;
  /** Reasons of the decision, for the sender; empty once erased. */
  reason: Generated<string>;
  /** Keyed hash of the notice, by which a repetition is recognized; null once erased. */
  same_as: string | null;
  /** What the sender wrote, with name and address, encrypted; null once erased. */
  sealed: Buffer | null;
  state: Generated<"received" | "asked" | "upheld" | "unfounded">;
  /** The named account, or the owner of the named picture; null where neither is known. */
  subject_id: bigint | null;
}

/** Append-only: an administrator's decision on an order in review. */
interface OrderDecisions {
  actor_id: bigint;
  at: Timestamp;
  decision: "credit" | "close";
  id: Generated<bigint>;
  note: string;
  order_id: bigint;
  /** Why it was in review. */
  reason: string;
}

/** Pending notices to users; deleted when sent. */
interface Outbox {
  /** The case, question, appeal or notice. */
  about: bigint | null;
  created_at: Timestamp;
  /** When a server has to send it; null: when the user connects. */
  due_at: Timestamp | null;
  id: Generated<bigint>;
  kind: "warning" | "report" | "question" | "appeal" | "notice";
  /** JSON: an unacknowledged push, to be sent again. */
  notice: string | null;
  /** Failed attempts. */
  tries: Generated<number>;
  user_id: bigint;
}

/** Pending refund of a call to a user; deleted once it is posted. */
interface OwedBeans {
  call_id: string;
  since: Timestamp;
  tries: Generated<number>;
  user_id: bigint;
}

/** Packs of beans on offer in a country. */
interface Packs {
  country_id: number;
  created_at: Timestamp;
  currency_code: string;
  golds: bigint;
  id: Generated<bigint>;
  price_minor: bigint;
  /** Null: on offer. */
  removed_at: Timestamp | null;
}

/** Passkeys with which users sign in beside their provider. */
interface Passkeys {
  /** Browser that added it; empty if unknown. */
  browser: string;
  created_at: Timestamp;
  /** The credential's id, base64url. */
  id: string;
  /** COSE key. */
  public_key: Buffer;
  /** Last signature counter of the authenticator; 0 for one that does not count. */
  sign_count: bigint;
  /** Operating system that added it; empty if unknown. */
  system: string;
  /** Last sign-in with it; null before the first. */
  used_at: Timestamp | null;
  user_id: bigint;
}

/** Disputes of an order. */
interface PaymentDisputes {
  amount_minor: bigint;
  case_id: string;
  order_id: bigint;
  state: "open" | "won" | "lost";
}

/** Append-only: results of handling an event; the newest row counts. */
interface PaymentEventResults {
  at: Timestamp;
  event_id: bigint;
  id: Generated<bigint>;
  result: "applied" | "ignored" | "parked" | "review" | "unknown_order" | "foreign_provider";
}

/** Append-only: authenticated events from providers. */
interface PaymentEvents {
  /** The event as JSON, with amounts as text. */
  event: string;
  event_id: string;
  id: Generated<bigint>;
  kind: string;
  order_no: string;
  provider: string;
  /** Hash of the webhook body; null for a response to our query. */
  raw_sha256: string | null;
  received_at: Timestamp;
  source: "webhook" | "query";
}

/** Orders, with copies of pack and price, which may change later. */
interface PaymentOrders {
  amount_minor: bigint;
  beans: bigint;
  changed_at: Timestamp;
  channel_type: number;
  /** Number of queries by the poller. */
  checks: Generated<number>;
  /** An administrator closed the order without beans. */
  closed_by_person: Generated<boolean>;
  country_code: string;
  created_at: Timestamp;
  currency_code: string;
  expires_at: Timestamp | null;
  id: Generated<bigint>;
  language: string;
  /** Next query by the poller; null: none. */
  next_check_at: Timestamp | null;
  order_no: string;
  /** Null: a custom number of beans. */
  pack_id: bigint | null;
  paid_at: Timestamp | null;
  pay_name: string;
  pay_type: string;
  pay_url: Generated<string>;
  provider: string;
  /** The provider's id of the order. */
  provider_ref: string | null;
  review_reason: string | null;
  /** Payment that is in review. */
  review_transaction_id: string | null;
  state: "created" | "pending" | "paid" | "failed" | "expired" | "refunded" | "disputed" | "charged_back" | "review";
  /** Payment for which the beans were credited. */
  transaction_id: string | null;
  user_id: bigint;
}

/** Refunds of an order. */
interface PaymentRefunds {
  amount_minor: bigint;
  asked_at: Timestamp;
  /** Next query to the provider; null: none. */
  next_ask_at: Timestamp | null;
  order_id: bigint;
  provider_refund_id: string | null;
  refund_no: string;
  state: "asked" | "pending" | "done" | "failed";
}

/** Labels that moderators gave a user. */
interface PersonLabels {
  at: Timestamp;
  by_id: bigint;
  label_id: number;
  user_id: bigint;
}

/** Servers of this database; each start has its own row. */
interface Processes {
  beat_at: Generated<Timestamp>;
  /** When another server declared it dead; it never comes back. */
  dead_at: Timestamp | null;
  draining: Generated<boolean>;
  id: string;
  /** Ids of its workers in the job engine; their jobs are released when this row is deleted. */
  job_workers: Generated<string[]>;
  /** Second part of the advisory lock that the server holds. */
  lock_number: Generated<number>;
}

/** Web Push subscriptions of browsers. */
interface PushSubscriptions {
  created_at: Timestamp;
  /** SHA-256 of the push service URL, hex. */
  endpoint_hash: string;
  /** Consecutive failed deliveries. */
  failures: Generated<number>;
  id: Generated<bigint>;
  /** Ids of notificationKinds (wire/src/notifications.ts). */
  kinds: number[];
  /** Notifications contain names. */
  names: boolean;
  /** UTC offset of the browser, in minutes. */
  offset_min: number;
  /** No notifications in the quiet hours. */
  quiet: boolean;
  /** The URL and the browser's keys, encrypted under the hash. */
  sealed: Buffer;
  /** Session of the last visit with this browser; its sign-out deletes the subscription. */
  session_id: string;
  /** Last visit of the user with this browser. */
  used_at: Timestamp;
  user_id: bigint;
}

/** Append-only: differences between orders, ledger and provider in the nightly reconciliation. */
interface ReconciliationFindings {
  at: Timestamp;
  day: string;
  detail: string;
  id: Generated<bigint>;
  kind: string;
  order_no: string;
}

/** Unused recovery codes. A sign-in deletes its code, new codes delete all earlier ones. */
interface RecoveryCodes {
  /** SHA-256 of user and code. */
  code_hash: Buffer;
  created_at: Timestamp;
  user_id: bigint;
}

/** Perceptual hashes of removed pictures. */
interface RemovedPictures {
  at: Timestamp;
  id: Generated<bigint>;
  mirrored: string;
  phash: string;
  reason_id: number;
}

/** Reports by users about users. */
interface Reports {
  at: Timestamp;
  call_id: string | null;
  case_id: bigint | null;
  id: Generated<bigint>;
  message_id: bigint | null;
  reason_id: number;
  reported_id: bigint;
  reporter_id: bigint;
  /** Whether a moderator found it justified; null until the decision. */
  was_right: boolean | null;
}

/** Temporary restrictions of a user that are no bans. */
interface Restraints {
  case_id: bigint | null;
  from_at: Timestamp;
  id: Generated<bigint>;
  /** The reporter was new, shared a device or an IP address with another reporter, or had sent an unfounded report. */
  is_unproven: Generated<boolean>;
  lifted_at: Timestamp | null;
  /** When the paused user asked for a review. */
  look_asked_at: Timestamp | null;
  /** Of a pause by a report "may be under 18": the reporter; otherwise null. */
  reporter_id: bigint | null;
  rule: string;
  /** Null: until a moderator decides. Of an age check: when the case returns to its queue; the restriction stays. */
  until: Timestamp | null;
  user_id: bigint;
  what: "matching" | "chat" | "age";
}

/** Append-only: every access to the restricted queue. */
interface RestrictedAccess {
  act: string;
  actor_id: bigint;
  at: Timestamp;
  case_id: bigint | null;
  id: Generated<bigint>;
}

/** user_id does not want to be rung by other_id for a while. */
interface RingMutes {
  other_id: bigint;
  until: Timestamp;
  user_id: bigint;
}

/** Rings of friends; deleted minutes after their end. */
interface Rings {
  at: Timestamp;
  /** The callee had no page open at the start. */
  away: Generated<boolean>;
  ended_at: Timestamp | null;
  id: string;
  /** Session description prepared by the caller; deleted when the ring ends. */
  offer: string | null;
  ringer_id: bigint;
  rung_id: bigint;
  state: "ringing" | "accepted" | "declined" | "cancelled" | "missed";
  /** Deadline of the ring. */
  until: Timestamp;
}

/** Random frames of calls that no model flagged, for the weekly audit; after the look only its answer. */
interface SampledFrames {
  answer: "fine" | "nudity" | "minor" | "other" | null;
  at: Timestamp;
  /** Key of the sealed bytes in blob storage; null once a moderator has answered. */
  blob_key: string | null;
  /** Days since 1 January 1970, UTC. */
  day: number;
  /** Random number; the frames of a day with the lowest ones are the sample. */
  draw: number;
  id: Generated<bigint>;
  looked_at: Timestamp | null;
  public_id: string;
  /** Encrypted: user, call, hash and scores; null once a moderator has answered. */
  source: Buffer | null;
}

/** Senders of frames that incriminate another user. */
interface SentViews {
  at: Timestamp;
  call_id: string;
  /** Null: it led to no case. */
  case_id: bigint | null;
  id: Generated<bigint>;
  sender_id: bigint;
  subject_id: bigint;
  /** Whether a moderator found it justified; null until the decision. */
  was_right: boolean | null;
}

/** Sign-ins and their ends; a user has at most one live session. */
interface Sessions {
  /** Country of the latest address, only where a country needs age checks; null: unknown. */
  address_country_id: number | null;
  created_at: Generated<Timestamp>;
  /** Null while the session is live. */
  end_reason: "expired" | "kicked" | "deleted" | "signed_out" | "banned" | null;
  ended_at: Timestamp | null;
  expires_at: Timestamp;
  id: string;
  ip: string;
  language: Generated<string>;
  last_seen_at: Generated<Timestamp>;
  source: number;
  /** SHA-256 of the token, hex. */
  token_hash: string;
  user_agent: string;
  user_id: bigint;
}

/** Append-only: changes of prices and packs by administrators. */
interface ShopChanges {
  actor_id: bigint;
  after: string | null;
  at: Timestamp;
  before: string | null;
  change: "prices" | "pack_added" | "pack_removed";
  id: Generated<bigint>;
}

/** Events about a user that software noticed. */
interface Signals {
  at: Timestamp;
  detail: Generated<string>;
  /** Recorded without consequences. */
  dry_run: boolean;
  id: Generated<bigint>;
  rule: string;
  user_id: bigint;
}

/** Summary of a user's restraints, bans, strikes, cases, signals, reports and frames of partners, written in the transaction that changes one of them; no row before the first. */
interface Standing {
  /** Since when the user is not matched before an age check that a moderator asked for. */
  age_asked_at: Timestamp | null;
  /** When an administrator last found the user to be no minor; from then on software estimates no age. */
  age_seen_at: Timestamp | null;
  /** End of the longest ban that was not ended early; infinity: permanent. */
  banned_until: Timestamp | null;
  /** When frames of partners last contradicted the user's own and led to a case, unless a moderator found them wrong. */
  contradicted_at: Timestamp | null;
  /** When software last flagged the user or a moderator last sanctioned them; infinity: a case is open. */
  flagged_at: Timestamp | null;
  /** The user may not write in calls until then. */
  muted_until: Timestamp | null;
  /** The user is not matched until then; infinity: until a moderator decides. */
  paused_until: Timestamp | null;
  user_id: bigint;
  /** When the user was last reported or flagged. */
  watched_at: Timestamp | null;
}

/** Strikes of a user. */
interface Strikes {
  at: Timestamp;
  ban_id: bigint | null;
  case_id: bigint | null;
  expires_at: Timestamp;
  id: Generated<bigint>;
  /** A ban reason. */
  reason_id: number;
  revoked_at: Timestamp | null;
  user_id: bigint;
}

/** Languages and interests of a user, in their order; others see only common ones. */
interface Talk {
  changed_at: Timestamp;
  interests: number[];
  languages: number[];
  /** Ids of countries whose users are not matched with this user; not visible to others. */
  leaves_out: Generated<number[]>;
  /** Prefer partners with a common language or interest. */
  prefer: boolean;
  user_id: bigint;
}

/** Finding of a text rule in a hidden, covered or refused text; the text is not stored. */
interface TextFindings {
  at: Timestamp;
  /** When the writer disputed the finding. */
  disputed_at: Timestamp | null;
  id: Generated<bigint>;
  kind: "phone" | "email" | "link" | "handle" | "account_number" | "address" | "advert" | "insult" | "threat" | "hate" | "solicitation" | "minor";
  /** Client id of the line or message; null for an undelivered text. */
  line_ref: string | null;
  place: "call" | "message" | "nickname" | "about" | "location";
  /** Null where the text has no single reader, such as a nickname. */
  reader_id: bigint | null;
  /** When the reader reported the writer. */
  reported_at: Timestamp | null;
  /** Language and phrase of the rule, such as en:kill yourself, or contact:phone. */
  rule_id: string;
  writer_id: bigint;
}

/** Questions to moderators about names, texts and mutes; at most one open question a user, place and source. */
interface TextQuestions {
  answered_at: Timestamp | null;
  answered_by: bigint | null;
  asked_at: Timestamp;
  /** Text of that place in the profile at the question; erased with the text. */
  before: string;
  due_at: Timestamp;
  /** JSON: findings in the text; erased with it. */
  findings: string;
  id: Generated<bigint>;
  place: "nickname" | "about" | "location" | "mute";
  /** Of a mute: the restraint that ends latest. */
  restraint_id: bigint | null;
  /** `provider`: the name came with a sign-in and is in use. */
  source: "person" | "provider";
  state: Generated<"open" | "accepted" | "refused">;
  /** The text in question; empty for a mute, and once the answer is older than the retention of evidence. */
  text: string;
  /** Of an answered text: keyed hash of place and text, which identifies it after its erasure. */
  text_hash: Buffer | null;
  user_id: bigint;
}

/** Who is notified when an hour begins. A notification deletes its row. */
interface TopicHourReminders {
  hour_id: bigint;
  /** The time of the hour that the user asked about. */
  starts_at: Timestamp;
  user_id: bigint;
}

/** Hours for a language or a topic that administrators planned. */
interface TopicHours {
  id: Generated<bigint>;
  /** Position in interests (wire/src/talk.ts); null for an hour of a language. */
  interest: number | null;
  is_weekly: boolean;
  /** Position in spokenLanguages (wire/src/talk.ts); null for an hour of an interest. */
  language: number | null;
  minutes: number;
  /** Of the first time; a weekly hour is at the same UTC time every seven days. */
  starts_at: Timestamp;
}

/** Two accounts at one IP address that a moderator declared unrelated. */
interface UnrelatedAccounts {
  at: Timestamp;
  by_id: bigint;
  high_id: bigint;
  low_id: bigint;
}

/** User accounts; an erased account keeps its numbers, country, language and dates. */
interface Users {
  about: Generated<string>;
  /** Day on which a vendor last found the user to be an adult; null: never. */
  age_checked_at: Timestamp | null;
  /** Key of the avatar in blob storage; empty: none. */
  avatar_key: Generated<string>;
  /** Calendar day; null: not given. */
  birthday: string | null;
  country_id: number;
  created_at: Generated<Timestamp>;
  /** When the user deleted the account: hidden from all, and restorable for 14 days. */
  deleted_at: Timestamp | null;
  device_id: Generated<string>;
  /** When the data were erased; only legally required records remain. */
  erased_at: Timestamp | null;
  /** Start of the erasure, from which on the account cannot be restored. */
  erasure_began_at: Timestamp | null;
  external_id: string;
  /** UTC day of the first search, also of one without a match; null: none yet, or before this column existed. */
  first_search_on: string | null;
  id: Generated<bigint>;
  language: Generated<string>;
  last_login_at: Generated<Timestamp>;
  last_login_ip: Generated<string>;
  location: Generated<string>;
  nickname: string;
  nickname_changed_at: Timestamp | null;
  /** The official account of this service. */
  official: Generated<boolean>;
  /** Calls in which a frame of the user passed inspection; counts up to 10. */
  passed_calls: Generated<number>;
  /** Friends may ring the user. */
  ringable: Generated<boolean>;
  role: Generated<number>;
  /** fold_name of the nickname, for searches; kept by a trigger. */
  search_name: Generated<string>;
  /** Strangers can find the user by nickname. */
  searchable: Generated<boolean>;
  /** 0 unknown, 1 male, 2 female; set once. */
  sex: Generated<number>;
  user_no: string;
}

/** Rejected webhooks; the newest ten thousand. */
interface WebhookRefusals {
  at: Timestamp;
  id: Generated<bigint>;
  provider: string;
  raw_sha256: string;
  reason: string;
}

export interface Database {
  age_checks: AgeChecks;
  age_refusals: AgeRefusals;
  aparts: Aparts;
  appeal_subscriptions: AppealSubscriptions;
  appeals: Appeals;
  audit_log: AuditLog;
  authority_requests: AuthorityRequests;
  bans: Bans;
  bean_accounts: BeanAccounts;
  bean_caps: BeanCaps;
  bean_entries: BeanEntries;
  bean_hold_ends: BeanHoldEnds;
  bean_holds: BeanHolds;
  bean_transfers: BeanTransfers;
  blocks: Blocks;
  call_events: CallEvents;
  call_prices: CallPrices;
  calls: Calls;
  cases: Cases;
  claims: Claims;
  conversation_sides: ConversationSides;
  conversations: Conversations;
  csp_reports: CspReports;
  daily_figures: DailyFigures;
  data_exports: DataExports;
  desk_shifts: DeskShifts;
  desk_texts: DeskTexts;
  evidence: Evidence;
  filter_prices: FilterPrices;
  follows: Follows;
  free_matches: FreeMatches;
  identities: Identities;
  images: Images;
  invitations: Invitations;
  job_runs: JobRuns;
  kind_words: KindWords;
  leases: Leases;
  likes: Likes;
  login_events: LoginEvents;
  mail_addresses: MailAddresses;
  mails: Mails;
  match_filters: MatchFilters;
  match_subscriptions: MatchSubscriptions;
  meet_wishes: MeetWishes;
  message_notifications: MessageNotifications;
  messages: Messages;
  notice_pictures: NoticePictures;
  notices: Notices;
  order_decisions: OrderDecisions;
  outbox: Outbox;
  owed_beans: OwedBeans;
  packs: Packs;
  passkeys: Passkeys;
  payment_disputes: PaymentDisputes;
  payment_event_results: PaymentEventResults;
  payment_events: PaymentEvents;
  payment_orders: PaymentOrders;
  payment_refunds: PaymentRefunds;
  person_labels: PersonLabels;
  processes: Processes;
  push_subscriptions: PushSubscriptions;
  reconciliation_findings: ReconciliationFindings;
  recovery_codes: RecoveryCodes;
  removed_pictures: RemovedPictures;
  reports: Reports;
  restraints: Restraints;
  restricted_access: RestrictedAccess;
  ring_mutes: RingMutes;
  rings: Rings;
  sampled_frames: SampledFrames;
  sent_views: SentViews;
  sessions: Sessions;
  shop_changes: ShopChanges;
  signals: Signals;
  standing: Standing;
  strikes: Strikes;
  talk: Talk;
  text_findings: TextFindings;
  text_questions: TextQuestions;
  topic_hour_reminders: TopicHourReminders;
  topic_hours: TopicHours;
  unrelated_accounts: UnrelatedAccounts;
  users: Users;
  webhook_refusals: WebhookRefusals;
}
