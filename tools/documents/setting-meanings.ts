/** What a setting means. `default` says in words what `config.ts` works out. */
export interface SettingMeaning {
  meaning: string;
  default?: string;
}

const meanings = (
  settings: Readonly<Record<string, string | SettingMeaning>>,
): Readonly<Record<string, SettingMeaning>> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, told]) => [name, typeof told === "string" ? { meaning: told } : told]),
  );

/** Every setting that `config.ts` reads, by heading, in the order of `docs/operations/configure.md`. */
export const settingMeanings = {
  Server: meanings({
    APP_MODE: "`production` refuses what only a developer needs: [the list](#what-production-requires).",
    HOST: "Address to listen on.",
    PORT: "One port for pages, requests and the WebSocket. 0 picks a free one.",
    METRICS_PORT: {
      meaning: "Second port that answers only `/metrics`, to every caller: admit Prometheus alone. One a server.",
      default: "off",
    },
    METRICS_HOST: "Address that `METRICS_PORT` listens on.",
    DATA_DIR: "Folder for the embedded database, pictures, exports and the development secret.",
    WEB_DIR: { meaning: "The built web app.", default: "`web/dist`" },
    PUBLIC_ORIGIN: {
      meaning:
        "The site's own origin, such as `https://fava.example`. Payment providers send users and webhooks there.",
      default: "the origin of each request",
    },
    SERVER_SECRET: {
      meaning: "Key material for sessions, signed requests and chat signatures. 32 characters or more.",
      default: "created once in `DATA_DIR`",
    },
    SERVER_SECRET_OTHER:
      "Another secret that the server accepts beside `SERVER_SECRET`, while you [replace it](secrets.md#server_secret).",
    SERVER_SECRET_OTHER_LEAKED:
      "`yes`: what `SERVER_SECRET_OTHER` signed is rejected; what it sealed stays readable. Sessions from before end.",
    APP_KEY:
      "Public key of requests before sign-in. It protects integrity, not secrecy. The web app is built with the default.",
    TRUST_PROXY: {
      meaning:
        "Addresses or ranges of proxies whose `X-Forwarded-For` is trusted. Behind a proxy that is missing here all users share one address, its rate limits and its 200 sockets.",
      default: "none",
    },
    RATE_LIMIT_FACTOR: "Multiplies every rate limit except the processor time for a user's pictures.",
    LOG_LEVEL: "Lowest level that is logged.",
    OTEL_EXPORTER_OTLP_ENDPOINT:
      "Collector for traces of searches over OTLP/HTTP, such as `http://localhost:4318`. The exporter also reads `OTEL_EXPORTER_OTLP_HEADERS`.",
    TRACES_PER_THOUSAND: "Traces recorded out of 1,000. All servers record the same ones.",
  }),
  "Database and several servers": meanings({
    DATABASE_URL: { meaning: "PostgreSQL of your own.", default: "the embedded database" },
    DATABASE_REPLICA_URL:
      "Streaming replica for [reads that may be stale](several-servers.md#a-replica). Needs `DATABASE_URL`.",
    DATABASE_CONNECTIONS:
      "Connections of a server for requests. [It opens up to eleven more](several-servers.md#connections).",
    REDIS_URL:
      "Redis 7 or Valkey 8, `redis://` or `rediss://`. It makes [several servers](several-servers.md) one site. Needs `DATABASE_URL`, `SERVER_SECRET` and `PEER_URL`.",
    PEER_URL: "With `REDIS_URL`: the origin at which the other servers reach this one, such as `http://10.0.0.7:3000`.",
    SEARCH_PEOPLE_MAX:
      "Users who search or are in a call on one server before the next server opens for searches. 0: users search on the server of their connection.",
    DRAIN_SECONDS:
      "How long a stopping server waits for other servers to take its users and calls. 0: it ends them at once.",
    DATA_DIR_SHARED: "`yes`: all servers share one `DATA_DIR`, so production accepts `REDIS_URL` without a bucket.",
    "S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY":
      "Private S3-compatible bucket for pictures and exports, instead of `DATA_DIR`. Set all five or none. The key may put, get and delete objects and list the bucket.",
  }),
  "Sign-in": meanings({
    GOOGLE_CLIENT_ID: "Only configured providers are offered.",
    "FACEBOOK_APP_ID, FACEBOOK_APP_SECRET": "Set both or none.",
    "APPLE_CLIENT_ID, APPLE_REDIRECT_URI": "Set both or none.",
    ADMIN_IDENTITIES:
      "Comma separated: mail addresses that Google or Apple has verified, or `login_type:third_party_id` (1 Google, 2 Facebook, 3 Apple). These users become administrators when they sign in.",
  }),
  Payments: meanings({
    GATEWAY_ENTRY: "Path of the payment entry.",
    "STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET": "Set both or none. Production accepts live keys only.",
    "PAYERMAX_APP_ID, PAYERMAX_MERCHANT_NO, PAYERMAX_PRIVATE_KEY, PAYERMAX_PUBLIC_KEY":
      "Set all four or none. The private key is ours (PKCS 8), the public key PayerMax's (SPKI), both in base64 as its dashboard shows them.",
    PAYERMAX_URL: { meaning: "Another address only outside production.", default: "the live address" },
    "CODA_API_KEY, CODA_PROJECT_ID": "Set both or none.",
    CODA_URL: { meaning: "Another address only outside production.", default: "the live address" },
    PRICE_GENDER:
      "Beans a minute for the gender filter. The prices count at the first start; afterwards administrators change them.",
    PRICE_COUNTRY: "Beans a minute for the country filter.",
    PRICE_BOTH: "Beans a minute for both filters, at most the sum of the two.",
    OWN_PAUSE_SECONDS:
      "How long the payer's own report (no picture, connection lost) may stop the clock of a paid call.",
  }),
  "Calls and moderation": meanings({
    TURN_URLS: "Addresses of coturn. With a relay, callers do not learn each other's address. Set both or none.",
    TURN_SECRET: "coturn's `static-auth-secret`, 16 characters or more in production.",
    TURN_CREDENTIAL_SECONDS: "Lifetime of a user's TURN credentials.",
    TURN_CLI_ADDRESSES:
      "coturn's command port on a private address, such as `10.0.0.7:5766`; several separated by commas. The server [ends the relay of a banned user](install.md#3-turn) there.",
    TURN_CLI_PASSWORD: "coturn's `cli-password`. Letters, digits, `-` and `_`, 16 or more in production.",
    RELAY_COST_PER_TB: {
      meaning:
        "What a terabyte (10^12 bytes) that coturn sends costs, such as `4.50 EUR`. `/admin/figures` then shows [what calls cost](install.md#3-turn).",
      default: "not shown",
    },
    STUN_URLS: "Used only without TURN.",
    MODERATION:
      "`auto`: models inspect pictures. `off`: nothing does; production also needs the next setting. `marker` is for tests.",
    MODERATION_OFF_ACCEPTED: "`yes`: production may run with `MODERATION=off`.",
    MODERATION_SHADOW:
      "1: software ends no call, suspends no user and rejects no picture. It hides pictures and asks a moderator. For the first weeks.",
    OPENNSFW:
      "A second family of picture models. `shadow`: it judges some frames, and its scores are only counted and stored with evidence. `on`: it hides explicit video, and software suspends nobody without its agreement. It needs 25 MB more a process.",
    AGE_HINTS:
      "Estimates of ages in some pictures ([SAFE-520, SAFE-521](../rules/inspection.md)). `shadow`: only counted. It needs 30 MB a process.",
    AGE_HINTS_OFF_COUNTRIES: "Countries (`US,DE`) without them, for example for laws on biometric data.",
    AUDIT_FRAMES_WEEKLY:
      "How many random frames a week that no model flagged moderators look at, 0 to 700; 60 is a good start. 0: no such frame is kept.",
    AGE_POLICY: {
      meaning:
        "Countries whose users need an [age check](moderation.md#age-checks), such as `GB:checked,AU:checked`; `*` stands for all others.",
      default: "`*:declared`",
    },
    "YOTI_SDK_ID, YOTI_API_KEY": {
      meaning: "Vendor of age checks. Set both or none.",
      default: "development: a sandbox; production: none",
    },
    BOT_RULES:
      "`on`: signs of automation open cases, and [SAFE-522](../rules/inspection.md) applies. `dry-run`: they are only counted in the table `signals`.",
  }),
  Notifications: meanings({
    "VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT": {
      meaning:
        "Key pair for Web Push in base64url, and your `mailto:` or `https:` address for push services. Set all three or none; `npm run setup:production` makes them. A new pair makes every browser subscribe again. Development shows what it would send at `/sandbox/push`.",
      default: "development: derived; production: no notifications",
    },
    PUSH_HOSTS: {
      meaning: "Push services that the server may send to, comma separated; `*.` stands for all subdomains.",
      default: "Chrome, Firefox, Safari, Edge",
    },
  }),
  Mails: meanings({
    "SMTP_URL, MAIL_FROM": {
      meaning:
        "Mail server, as `smtps://user:password@host:465` or `smtp://user:password@host:587` (with STARTTLS, unless it is in your own network), and the sender's address. Set both or none. Development shows what it would send at `/sandbox/mail`.",
      default: "production: no mails",
    },
  }),
  Translation: meanings({
    TRANSLATE_URL: {
      meaning:
        "A server of yours with the HTTP interface of LibreTranslate. It translates lines and messages, and texts of the desk, where the browser cannot; each needs a press. Use `https:` unless it is in your own network.",
      default: "browsers only",
    },
    TRANSLATE_KEY: { meaning: "Its API key.", default: "none" },
    TRANSLATE_NAME: "Its name, which readers see.",
  }),
  "Countries, languages and contact": meanings({
    DEFAULT_COUNTRY: "Country of users whose address has none, such as loopback.",
    COUNTRIES: { meaning: "ISO codes on offer in the country filter.", default: "about 75" },
    EXCLUDE_MAX: "How many countries a user can leave out. 0 turns it off.",
    OFFERED_LANGUAGES: {
      meaning:
        "Interface languages on offer, in this order, `en` among them. [Only five are reviewed](../i18n/README.md).",
      default: "`zh-CN,en,ar,tr,id`",
    },
    ONLINE_COUNT: "`display`: the cosmetic number of the specification. `real`: the true count.",
    HELP_LINES:
      "Help lines in the safety centre: `COUNTRY\\|name\\|phone\\|page`, separated by semicolons, `*` for everywhere. Phone or page may be empty.",
    "COMPANY_NAME, COMPANY_ADDRESS, BUSINESS_EMAIL, BUSINESS_PHONE, CONTACT_EMAIL, CONTACT_ACCOUNT": {
      meaning: "Shown on the contact and about pages. `CONTACT_ACCOUNT` is a support account such as `@fava.help`.",
      default: "placeholders",
    },
    CONTACT_MESSAGING_LINK: "Support through a messaging app.",
  }),
} as const;
