/** The tables as the migrations leave them: written by `npm run db:types`, never by hand. */
import type { ColumnType } from "kysely";

type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** Under-age sign-ins: a keyed hash of the identity and the day it may try again, nothing else of the date. */
interface AgeRefusals {
  identity_hash: string;
  try_again_on: string;
}

/** The one person does not want to be matched with the other until then. */
interface Aparts {
  other_id: bigint;
  until: Timestamp;
  user_id: bigint;
}

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

/** The browser that is told once that an appeal was answered; gone once it was. */
interface AppealSubscriptions {
  appeal_id: bigint;
  created_at: Timestamp;
  /**
   * SHA-256 of the address at the push service, hex.
   */
  endpoint_hash: string;
  /**
   * In which it is told.
   */
  language: string;
  /**
   * How far the browser's clock is ahead of UTC, in minutes.
   */
  offset_min: number;
  /**
   * That address and the keys of the browser, sealed under the hash.
   */
  sealed: Buffer;
  user_id: bigint;
}

/** Append only: every look and act of a moderator, and of software. */
interface AuditLog {
  /**
   * Null: software.
   */
  actor_id: bigint | null;
  at: Timestamp;
  case_id: bigint | null;
  /**
   * Facts as JSON.
   */
  detail: Generated<string>;
  id: Generated<bigint>;
  kind: string;
  note: Generated<string>;
  reason_id: number | null;
  subject_id: bigint | null;
}

interface Bans {
  /**
   * When its call was, once the call's day is gone.
   */
  call_at: Timestamp | null;
  call_id: string | null;
  case_id: bigint | null;
  created_at: Generated<Timestamp>;
  /**
   * Null: software.
   */
  decided_by: bigint | null;
  /**
   * lifted, shortened, replaced or lapsed.
   */
  ended_because: string | null;
  /**
   * It ended before its time.
   */
  ended_early_at: Timestamp | null;
  id: Generated<bigint>;
  /**
   * Until a person has decided.
   */
  is_provisional: Generated<boolean>;
  reason: Generated<string>;
  reason_id: number;
  /**
   * Rule that led to it, where software decided.
   */
  rule: string | null;
  seconded_by: bigint | null;
  /**
   * 1 to 3: which strike it is; 0 for none.
   */
  strike: Generated<number>;
  /**
   * Null: without end.
   */
  until: Timestamp | null;
  user_id: bigint;
}

/** Of a person, with figures that run along, or of the house, without. */
interface BeanAccounts {
  balance: bigint | null;
  /**
   * Sum of the open holds.
   */
  held: bigint | null;
  house: string | null;
  id: Generated<bigint>;
  user_id: bigint | null;
  /**
   * Number of entries.
   */
  version: bigint | null;
}

/** Append only: a person's newest row counts. Beans a UTC day; null: no cap. */
interface BeanCaps {
  asked_at: Timestamp;
  /**
   * From from_at on.
   */
  beans: bigint | null;
  /**
   * Before from_at.
   */
  beans_until: bigint | null;
  from_at: Timestamp;
  id: Generated<bigint>;
  user_id: bigint;
}

/** Append only: two for a transfer, with opposite signs. */
interface BeanEntries {
  account_id: bigint;
  /**
   * Null on accounts of the house.
   */
  account_version: bigint | null;
  amount: bigint;
  /**
   * Null on accounts of the house.
   */
  balance_after: bigint | null;
  transfer_id: bigint;
}

/** Append only: a hold without a row here is open. */
interface BeanHoldEnds {
  /**
   * What was posted of it.
   */
  amount: bigint;
  at: Timestamp;
  hold_id: bigint;
  /**
   * Null where nothing was posted.
   */
  transfer_id: bigint | null;
}

/** Append only: transfers to filter-revenue that are not made yet. */
interface BeanHolds {
  account_id: bigint;
  amount: bigint;
  at: Timestamp;
  id: Generated<bigint>;
  key: string;
  reference: string;
}

/** Append only. */
interface BeanTransfers {
  amount: bigint;
  at: Timestamp;
  from_account: bigint;
  id: Generated<bigint>;
  key: string;
  kind: "purchase" | "call" | "credit" | "refund" | "dispute_opened" | "dispute_won" | "adjustment";
  overdraft: boolean;
  reason: string | null;
  /**
   * Order number or call id.
   */
  reference: string;
  to_account: bigint;
}

interface Blocks {
  at: Timestamp;
  other_id: bigint;
  user_id: bigint;
}

/** Append only: what happened in a call, without any text or picture. */
interface CallEvents {
  at: Timestamp;
  call_id: string;
  kind: string;
  user_id: bigint | null;
}

/** Of paid calls whose day is gone: beans a minute, for the statement of who paid. */
interface CallPrices {
  call_id: string;
  price: number;
  user_id: bigint;
}

interface Calls {
  answerer_id: bigint;
  /**
   * Beans a minute, fixed when the match was made.
   */
  answerer_price: number;
  /**
   * When both sides had video; null where it never came to that.
   */
  connected_at: Timestamp | null;
  end_reason: "next" | "stop" | "left" | "not_joined" | "lost" | "kicked" | "banned" | "restart" | "violation" | "unchecked" | null;
  ended_at: Timestamp | null;
  id: string;
  matched_at: Timestamp;
  offerer_id: bigint;
  /**
   * Beans a minute, fixed when the match was made.
   */
  offerer_price: number;
  /**
   * The process that the room is in, or was in last; null where none has it.
   */
  owner: string | null;
  /**
   * Raised by each process that takes the call over: who charges for it must know the number.
   */
  owner_epoch: Generated<number>;
}

interface Cases {
  asked_note: Generated<string>;
  /**
   * The ban for good that the first moderator asked for.
   */
  asked_reason_id: number | null;
  /**
   * restricted: suspected minors, for administrators.
   */
  box: "reports" | "restricted";
  /**
   * When its call was, once the call's day is gone.
   */
  call_at: Timestamp | null;
  call_id: string | null;
  changed_at: Timestamp;
  decided_at: Timestamp | null;
  decided_by: bigint | null;
  explicit: number | null;
  /**
   * 1 is the worst.
   */
  harm: number;
  id: Generated<bigint>;
  lapses_at: Timestamp | null;
  message_id: bigint | null;
  model: string | null;
  opened_at: Timestamp;
  operation: number | null;
  reason_id: number;
  rule: string;
  shadow: Generated<boolean>;
  state: Generated<"open" | "second" | "decided">;
  subject_id: bigint;
}

interface Claims {
  /**
   * case:<id>, image:<public id> or appeal:<id>.
   */
  item: string;
  moderator_id: bigint;
  until: Timestamp;
}

interface Conversations {
  /**
   * A request was accepted: both may write, friends or not.
   */
  accepted: Generated<boolean>;
  created_at: Timestamp;
  high_id: bigint;
  id: Generated<bigint>;
  low_id: bigint;
  /**
   * Who asked; null once the other accepted, or where both were friends from the start.
   */
  requested_by: bigint | null;
}

/** A conversation as one of the two has it: their list and their unread count. */
interface ConversationSides {
  conversation_id: bigint;
  /**
   * The request was declined: shown in no list of this side.
   */
  declined: Generated<boolean>;
  last_message_id: bigint;
  other_id: bigint;
  /**
   * Id of the newest message read; 0 for none.
   */
  read_up_to: Generated<bigint>;
  /**
   * The other's request waits for this side's answer.
   */
  request: Generated<boolean>;
  unread_count: Generated<number>;
  user_id: bigint;
}

interface DataExports {
  begun_at: Timestamp;
  file_key: string | null;
  /**
   * The process that prepares it, or did.
   */
  owner: string | null;
  percent: Generated<number>;
  size_bytes: number | null;
  state: "preparing" | "ready" | "failed";
  until: Timestamp | null;
  user_id: bigint;
}

interface Evidence {
  at: Timestamp;
  /**
   * Sealed bytes in blob storage; null once erased, and always in the restricted box.
   */
  blob_key: string | null;
  case_id: bigint;
  erase_at: Timestamp;
  erased_at: Timestamp | null;
  /**
   * Perceptual hash and scores as JSON.
   */
  facts: Generated<string>;
  id: Generated<bigint>;
  kind: "frame" | "lines" | "note";
  public_id: string;
  /**
   * Of a note: the report whose words it holds. Refers to nothing: a report may be gone before.
   */
  report_id: bigint | null;
  /**
   * Of a frame.
   */
  view: "own" | "received" | null;
}

/** One row: what filters cost now, in beans a minute. */
interface FilterPrices {
  country: number;
  gender: number;
  gender_and_country: number;
  id: Generated<number>;
}

/** The one person follows the other. */
interface Follows {
  at: Timestamp;
  other_id: bigint;
  user_id: bigint;
}

/** Matches of a person that began with free seconds, on the newest UTC day that had any. */
interface FreeMatches {
  /**
   * The last of them, so that asking again for it counts once.
   */
  call_id: string;
  day: string;
  matches: number;
  user_id: bigint;
}

interface Identities {
  login_type: number;
  third_party_id: string;
  user_id: bigint;
}

interface Images {
  blob_key: string;
  created_at: Timestamp;
  decided_at: Timestamp | null;
  decided_by: bigint | null;
  /**
   * 0 to 1; null where the models did not look.
   */
  explicit: number | null;
  height: number;
  id: Generated<bigint>;
  kind: Generated<"unused" | "avatar" | "photo">;
  /**
   * Perceptual hash, 16 hex digits.
   */
  phash: string | null;
  position: Generated<number>;
  /**
   * What the world knows it by.
   */
  public_id: string;
  reason_id: number | null;
  removed_at: Timestamp | null;
  status: Generated<"pending" | "approved" | "refused">;
  thumb_key: string;
  user_id: bigint;
  /**
   * Why a person looks.
   */
  why: Generated<"unsure" | "reported" | "contact" | "like_removed" | "random" | "new">;
  width: number;
}

/** The last run of each periodic job; the next run is in graphile_worker.jobs. */
interface JobRuns {
  failures: bigint;
  last_failed_at: Timestamp | null;
  name: string;
  ran_at: Timestamp;
  runs: bigint;
  /**
   * Duration of the last run, failed or not.
   */
  took_ms: number;
}

/** Work that one process does for all: how often it changed hands, and who has it or had it last. */
interface Leases {
  epoch: bigint;
  held_at: Timestamp;
  holder: string;
  name: string;
}

interface Likes {
  at: Timestamp;
  other_id: bigint;
  user_id: bigint;
}

interface LoginEvents {
  at: Generated<Timestamp>;
  device_id: string;
  id: Generated<bigint>;
  ip: string;
  user_agent: string;
  user_id: bigint;
}

/** Whom people asked to be told of, once, when somebody like this waits. */
interface MatchTells {
  /**
   * 0 everywhere, -1 balanced, otherwise the country.
   */
  country_id: number;
  created_at: Timestamp;
  /**
   * Of the person when they asked; 0 unknown.
   */
  own_country_id: number;
  /**
   * Of the person when they asked.
   */
  own_sex: number;
  /**
   * 0 both, 1 men, 2 women.
   */
  sex: number;
  until: Timestamp;
  user_id: bigint;
}

interface MatchWishes {
  country: number;
  sex: number;
  updated_at: Generated<Timestamp>;
  user_id: bigint;
}

/** The one person would like to meet the other again. */
interface MeetWishes {
  at: Timestamp;
  other_id: bigint;
  user_id: bigint;
}

/** The last message of a conversation of which the person was told without a page. */
interface MessageNotifications {
  at: Timestamp;
  message_id: bigint;
  other_id: bigint;
  user_id: bigint;
}

interface Messages {
  client_id: string;
  conversation_id: bigint;
  /**
   * Why the text may hurt, so that its reader sees it after a press; null: it is not covered.
   */
  cover: "insult" | "threat" | "hate" | "solicitation" | null;
  id: Generated<bigint>;
  kind: "text" | "met" | "missed";
  sender_id: bigint;
  sent_at: Timestamp;
  text: string;
}

/** Append only: what a person decided about an order in review. */
interface OrderDecisions {
  actor_id: bigint;
  at: Timestamp;
  decision: "credit" | "close";
  id: Generated<bigint>;
  note: string;
  order_id: bigint;
  /**
   * Why it was in review.
   */
  reason: string;
}

/** Notices that a user has still to get; deleted when they are sent. */
interface Outbox {
  /**
   * The case, question or appeal.
   */
  about: bigint | null;
  created_at: Timestamp;
  /**
   * When a server has to send it; null: when the user arrives.
   */
  due_at: Timestamp | null;
  id: Generated<bigint>;
  kind: "warning" | "report" | "question" | "appeal";
  /**
   * JSON: the push that a page did not acknowledge, to be sent again.
   */
  notice: string | null;
  /**
   * Failed attempts.
   */
  tries: Generated<number>;
  user_id: bigint;
}

/** Beans that a call is to give back to somebody; gone once it did. */
interface OwedBeans {
  call_id: string;
  since: Timestamp;
  tries: Generated<number>;
  user_id: bigint;
}

interface Packs {
  country_id: number;
  created_at: Timestamp;
  currency_code: string;
  golds: bigint;
  id: Generated<bigint>;
  price_minor: bigint;
  /**
   * Null while it is offered.
   */
  removed_at: Timestamp | null;
}

interface PaymentDisputes {
  amount_minor: bigint;
  case_id: string;
  order_id: bigint;
  state: "open" | "won" | "lost";
}

/** Append only: what became of an event; the newest row counts. */
interface PaymentEventResults {
  at: Timestamp;
  event_id: bigint;
  id: Generated<bigint>;
  result: "applied" | "ignored" | "parked" | "review" | "unknown_order" | "foreign_provider";
}

/** Append only: everything that a provider said and that was believed to come from it. */
interface PaymentEvents {
  /**
   * The event as JSON, amounts as text.
   */
  event: string;
  event_id: string;
  id: Generated<bigint>;
  kind: string;
  order_no: string;
  provider: string;
  /**
   * Of the body it came in; null for the answer to a question of ours.
   */
  raw_sha256: string | null;
  received_at: Timestamp;
  source: "webhook" | "query";
}

/** What was ordered is a copy: packs and prices change afterwards. */
interface PaymentOrders {
  amount_minor: bigint;
  beans: bigint;
  changed_at: Timestamp;
  channel_type: number;
  /**
   * How often the provider was asked by the poller.
   */
  checks: Generated<number>;
  /**
   * A person decided that this order gets no beans.
   */
  closed_by_person: Generated<boolean>;
  country_code: string;
  created_at: Timestamp;
  currency_code: string;
  expires_at: Timestamp | null;
  id: Generated<bigint>;
  language: string;
  /**
   * When the poller asks next; null: never.
   */
  next_check_at: Timestamp | null;
  order_no: string;
  /**
   * Null: an exact number of beans.
   */
  pack_id: bigint | null;
  paid_at: Timestamp | null;
  pay_name: string;
  pay_type: string;
  pay_url: Generated<string>;
  provider: string;
  /**
   * The provider's own id of the order.
   */
  provider_ref: string | null;
  review_reason: string | null;
  /**
   * Of the payment that waits for a decision.
   */
  review_transaction_id: string | null;
  state: "created" | "pending" | "paid" | "failed" | "expired" | "refunded" | "disputed" | "charged_back" | "review";
  /**
   * Of the payment for which the beans were credited.
   */
  transaction_id: string | null;
  user_id: bigint;
}

interface PaymentRefunds {
  amount_minor: bigint;
  asked_at: Timestamp;
  /**
   * When the provider is asked again; null: never.
   */
  next_ask_at: Timestamp | null;
  order_id: bigint;
  provider_refund_id: string | null;
  refund_no: string;
  state: "asked" | "pending" | "done" | "failed";
}

interface PersonLabels {
  at: Timestamp;
  by_id: bigint;
  label_id: number;
  user_id: bigint;
}

/** Servers that run over this database, each start a row of its own. */
interface Processes {
  beat_at: Generated<Timestamp>;
  /**
   * When another process took it for dead: from then on it is.
   */
  dead_at: Timestamp | null;
  draining: Generated<boolean>;
  id: string;
  /**
   * Ids of its workers in the job engine; their jobs are released when this row is deleted.
   */
  job_workers: Generated<string[]>;
  /**
   * Second half of the advisory lock that its connection holds.
   */
  lock_number: Generated<number>;
}

/** Browsers that are told something while no page of the person is open. */
interface PushSubscriptions {
  created_at: Timestamp;
  /**
   * SHA-256 of the address at the push service, hex.
   */
  endpoint_hash: string;
  /**
   * In a row.
   */
  failures: Generated<number>;
  id: Generated<bigint>;
  /**
   * Ids of wire/src/notifications.ts.
   */
  kinds: number[];
  /**
   * Notifications say who.
   */
  names: boolean;
  /**
   * How far the browser's clock is ahead of UTC, in minutes.
   */
  offset_min: number;
  /**
   * Nothing comes in the quiet hours.
   */
  quiet: boolean;
  /**
   * That address and the keys of the browser, sealed under the hash.
   */
  sealed: Buffer;
  /**
   * Of the last visit with this browser: signing out of it ends this, too.
   */
  session_id: string;
  /**
   * When the person was here with this browser last.
   */
  used_at: Timestamp;
  user_id: bigint;
}

/** Append only: where orders, ledger and provider disagreed at night. */
interface ReconciliationFindings {
  at: Timestamp;
  day: string;
  detail: string;
  id: Generated<bigint>;
  kind: string;
  order_no: string;
}

/** Perceptual hashes of pictures that were removed, 16 hex digits each. */
interface RemovedPictures {
  at: Timestamp;
  id: Generated<bigint>;
  mirrored: string;
  phash: string;
  reason_id: number;
}

interface Reports {
  at: Timestamp;
  call_id: string | null;
  case_id: bigint | null;
  id: Generated<bigint>;
  message_id: bigint | null;
  reason_id: number;
  reported_id: bigint;
  reporter_id: bigint;
  /**
   * Whether a person found it right; null until its case was decided.
   */
  was_right: boolean | null;
}

/** What a person may not do for a while, short of a ban. */
interface Restraints {
  /**
   * Of a pause by a report "may be under 18": the reporter. Null for every other restraint.
   */
  accuser_id: bigint | null;
  case_id: bigint | null;
  from_at: Timestamp;
  id: Generated<bigint>;
  /**
   * The reporter was new, shared a device or an address with another, or was unfounded before.
   */
  is_unproven: Generated<boolean>;
  lifted_at: Timestamp | null;
  /**
   * When the paused person asked that a moderator looks.
   */
  look_asked_at: Timestamp | null;
  rule: string;
  /**
   * Null: until a person decides.
   */
  until: Timestamp | null;
  user_id: bigint;
  what: "matching" | "chat";
}

/** Append only: every reading of the restricted box. */
interface RestrictedAccess {
  act: string;
  actor_id: bigint;
  at: Timestamp;
  case_id: bigint | null;
  id: Generated<bigint>;
}

/** The one person does not want to be rung by the other until then. */
interface RingMutes {
  other_id: bigint;
  until: Timestamp;
  user_id: bigint;
}

/** Who rings whom; forgotten minutes after it is over. */
interface Rings {
  at: Timestamp;
  /**
   * Whoever is rung had no page open when it began.
   */
  away: Generated<boolean>;
  ended_at: Timestamp | null;
  id: string;
  /**
   * Session description that whoever rings has prepared; gone once the ring is over.
   */
  offer: string | null;
  ringer_id: bigint;
  rung_id: bigint;
  state: "ringing" | "accepted" | "declined" | "cancelled" | "missed";
  /**
   * When it ends by itself.
   */
  until: Timestamp;
}

/** Who sent the pictures of somebody else that speak against them. */
interface SentViews {
  at: Timestamp;
  call_id: string;
  /**
   * Null: no case came of it.
   */
  case_id: bigint | null;
  id: Generated<bigint>;
  sender_id: bigint;
  subject_id: bigint;
  /**
   * Whether a person found it right; null until its case was decided.
   */
  was_right: boolean | null;
}

interface Sessions {
  created_at: Generated<Timestamp>;
  /**
   * Null while it lives.
   */
  end_reason: "expired" | "kicked" | "deleted" | "signed_out" | "banned" | null;
  ended_at: Timestamp | null;
  expires_at: Timestamp;
  id: string;
  ip: string;
  language: Generated<string>;
  last_seen_at: Generated<Timestamp>;
  source: number;
  /**
   * SHA-256 of the token, hex.
   */
  token_hash: string;
  user_agent: string;
  user_id: bigint;
}

/** Append only: what administrators changed about prices and packs. */
interface ShopChanges {
  actor_id: bigint;
  after: string | null;
  at: Timestamp;
  before: string | null;
  change: "prices" | "pack_added" | "pack_removed";
  id: Generated<bigint>;
}

/** What software noticed about somebody. */
interface Signals {
  at: Timestamp;
  detail: Generated<string>;
  /**
   * Nothing followed from it.
   */
  dry_run: boolean;
  id: Generated<bigint>;
  rule: string;
  user_id: bigint;
}

/** Summary of a user's restraints, bans, strikes, cases, signals and reports, written in the transaction that changes one of them; no row before the first. */
interface Standing {
  /**
   * End of the longest ban that was not ended early; infinity: for good.
   */
  banned_until: Timestamp | null;
  /**
   * When software last flagged the user or a moderator last punished them; infinity: a case waits for a decision.
   */
  flagged_at: Timestamp | null;
  /**
   * The user may not write in calls until then.
   */
  muted_until: Timestamp | null;
  /**
   * The user is not matched until then; infinity: until a moderator decides.
   */
  paused_until: Timestamp | null;
  user_id: bigint;
  /**
   * When the user was last reported or flagged.
   */
  watched_at: Timestamp | null;
}

interface Strikes {
  at: Timestamp;
  ban_id: bigint | null;
  case_id: bigint | null;
  expires_at: Timestamp;
  id: Generated<bigint>;
  /**
   * A ban reason.
   */
  reason_id: number;
  revoked_at: Timestamp | null;
  user_id: bigint;
}

/** Languages and interests that a person chose, in their order; nobody else is told more than what they share. */
interface Talk {
  changed_at: Timestamp;
  interests: number[];
  languages: number[];
  /**
   * Ids of countries: people of them and the person do not meet by searching. Told to nobody else.
   */
  leaves_out: Generated<number[]>;
  /**
   * Of those who suit, rather somebody with whom something is shared.
   */
  prefer: boolean;
  user_id: bigint;
}

/** What the text rules found in a text that was hidden, covered or refused; the text itself is not kept. */
interface TextFindings {
  at: Timestamp;
  /**
   * When the writer said that the text did not mean this.
   */
  disputed_at: Timestamp | null;
  id: Generated<bigint>;
  kind: "phone" | "email" | "link" | "handle" | "account_number" | "address" | "advert" | "insult" | "threat" | "hate" | "solicitation" | "minor";
  /**
   * Client id of the line or message; null for an undelivered text.
   */
  line_ref: string | null;
  place: "call" | "message" | "nickname" | "about" | "location";
  /**
   * Null where the text has no single reader, such as a nickname.
   */
  reader_id: bigint | null;
  /**
   * When the reader reported the writer.
   */
  reported_at: Timestamp | null;
  /**
   * Language and phrase of the rule, such as en:kill yourself, or contact:phone.
   */
  rule_id: string;
  writer_id: bigint;
}

/** Names, texts and mutes that a moderator is asked about; at most one open question a person, place and source. */
interface TextQuestions {
  answered_at: Timestamp | null;
  answered_by: bigint | null;
  asked_at: Timestamp;
  /**
   * What stood in that place of the profile when it was asked; erased with the text.
   */
  before: string;
  due_at: Timestamp;
  /**
   * JSON: what was found in the text; erased with it.
   */
  findings: string;
  id: Generated<bigint>;
  place: "nickname" | "about" | "location" | "mute";
  /**
   * Of a mute: the restraint that ends latest.
   */
  restraint_id: bigint | null;
  /**
   * `provider`: the name came with a sign-in and is in use.
   */
  source: "person" | "provider";
  state: Generated<"open" | "accepted" | "refused">;
  /**
   * As it was asked; empty for a mute, and once the answer is as old as evidence is kept.
   */
  text: string;
  /**
   * Of an answered text: keyed hash of place and text, by which it is known again once the text is erased.
   */
  text_hash: Buffer | null;
  user_id: bigint;
}

/** Two accounts at one address of which a moderator said that they have nothing to do with each other. */
interface UnrelatedAccounts {
  at: Timestamp;
  by_id: bigint;
  high_id: bigint;
  low_id: bigint;
}

interface Users {
  about: Generated<string>;
  /**
   * Key of the picture in blob storage; empty for none.
   */
  avatar_key: Generated<string>;
  /**
   * Calendar day; null until given.
   */
  birthday: string | null;
  country_id: number;
  created_at: Generated<Timestamp>;
  /**
   * The person deleted the account: gone for everybody, and can come back for 14 days.
   */
  deleted_at: Timestamp | null;
  device_id: Generated<string>;
  /**
   * Nothing of the person is left but what the law asks for.
   */
  erased_at: Timestamp | null;
  /**
   * It is decided that the account is erased, which takes a while: from then on nobody comes back to it.
   */
  erasure_began_at: Timestamp | null;
  external_id: string;
  id: Generated<bigint>;
  language: Generated<string>;
  last_login_at: Generated<Timestamp>;
  last_login_ip: Generated<string>;
  location: Generated<string>;
  nickname: string;
  nickname_changed_at: Timestamp | null;
  /**
   * The account of this service itself.
   */
  official: Generated<boolean>;
  /**
   * Calls in which a picture of theirs passed the checks; counted up to 10.
   */
  passed_calls: Generated<number>;
  /**
   * Friends may ring the person.
   */
  ringable: Generated<boolean>;
  role: Generated<number>;
  /**
   * The nickname as searches compare it, by fold_name; a trigger keeps it.
   */
  search_name: Generated<string>;
  /**
   * Strangers find the person by nickname.
   */
  searchable: Generated<boolean>;
  /**
   * 0 until the person said, then 1 male or 2 female, for good.
   */
  sex: Generated<number>;
  user_no: string;
}

/** Webhooks that were not believed; the newest ten thousand. */
interface WebhookRefusals {
  at: Timestamp;
  id: Generated<bigint>;
  provider: string;
  raw_sha256: string;
  reason: string;
}

export interface Database {
  age_refusals: AgeRefusals;
  aparts: Aparts;
  appeal_subscriptions: AppealSubscriptions;
  appeals: Appeals;
  audit_log: AuditLog;
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
  data_exports: DataExports;
  evidence: Evidence;
  filter_prices: FilterPrices;
  follows: Follows;
  free_matches: FreeMatches;
  identities: Identities;
  images: Images;
  job_runs: JobRuns;
  leases: Leases;
  likes: Likes;
  login_events: LoginEvents;
  match_tells: MatchTells;
  match_wishes: MatchWishes;
  meet_wishes: MeetWishes;
  message_notifications: MessageNotifications;
  messages: Messages;
  order_decisions: OrderDecisions;
  outbox: Outbox;
  owed_beans: OwedBeans;
  packs: Packs;
  payment_disputes: PaymentDisputes;
  payment_event_results: PaymentEventResults;
  payment_events: PaymentEvents;
  payment_orders: PaymentOrders;
  payment_refunds: PaymentRefunds;
  person_labels: PersonLabels;
  processes: Processes;
  push_subscriptions: PushSubscriptions;
  reconciliation_findings: ReconciliationFindings;
  removed_pictures: RemovedPictures;
  reports: Reports;
  restraints: Restraints;
  restricted_access: RestrictedAccess;
  ring_mutes: RingMutes;
  rings: Rings;
  sent_views: SentViews;
  sessions: Sessions;
  shop_changes: ShopChanges;
  signals: Signals;
  standing: Standing;
  strikes: Strikes;
  talk: Talk;
  text_findings: TextFindings;
  text_questions: TextQuestions;
  unrelated_accounts: UnrelatedAccounts;
  users: Users;
  webhook_refusals: WebhookRefusals;
}
