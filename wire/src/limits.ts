/**
 * Every number that client and server share, with its unit last in its name. Numbers that only an operator changes
 * (prices, countries, contact data) are settings of the server.
 */

/** Minimum age of a user, in full years on the UTC calendar (rule AGE-1). */
export const ageYearsMin = 18;
/** Years that the birthday step offers first, and the earliest one behind "earlier years" (rule AGE-3). */
export const birthYearOffered = { first: 1980, last: 2019, earliest: 1926 } as const;
/** Day that the birthday picker shows when it opens, `YYYY-MM-DD` (rule AGE-4). */
export const birthdayPickerDefault = "2006-10-28";

/** Timeout of a request to an endpoint (rule SIGN-20). */
export const requestTimeoutMs = 30_000;
/** Default timeout of small requests, and the timeout of the connection check. */
export const smallRequestTimeoutMs = 10_000;
export const connectionCheckTimeoutMs = 5_000;
/** Maximum difference between the timestamp of a signed request and the server's clock. */
export const signatureWindowMs = 300_000;
/** How long a signature that the client made before the press of Start can be used; then the client signs again. */
export const signedAheadMsMax = 120_000;
/** How long the server remembers a nonce: twice the time for which it accepts a timestamp. */
export const nonceMemoryMs = 600_000;
export const signNonceHexLength = 32;
/** Largest body of a request that has text fields only. */
export const requestBodyBytesMax = 65_536;
export const formFieldsMax = 40;
export const formFieldBytesMax = 32_768;

/** A user who has not joined the room within this time goes back to searching (rule MATCH-6). */
export const matchTimeoutMs = 10_000;
/** Interval of the connection check in states 2 and 3. */
export const connectionCheckMs = 10_000;
/** A search without a match for this long offers to widen the filters. */
export const widenOfferMs = 10_000;
/** How long the camera stays open after End for users who chose that. */
export const cameraKeptMs = 30_000;
/** Without a first frame this long after a match, the page shows whom it is connecting to. */
export const slowPictureMs = 2_000;
/**
 * How long the screens wait for the answer to a search after a press of the user. The press itself shows at once: the
 * button is down, and the last partner disappears.
 */
export const pressHeldMsMax = 800;
/** How long a partner's name stands large at the first frame, with the time in which it shrinks into the plate. */
export const meetingShownMs = 2_300;
/** Next is ignored this long after a match, so that a double press skips one partner, not two. */
export const nextGuardMs = 1_500;
/** Delay of the low-beans notice after `is_enough` 0. */
export const lowBeansNoticeMs = 10_000;
/** Interval of reading statistics. Without new bytes for `mediaStallMs` the call is reconnecting. */
export const mediaStatsMs = 500;
export const mediaStallMs = 1_500;
/** Interval of reading the statistics of outgoing media, after which the rung of the quality ladder may change. */
export const sendStatsMs = 2_000;
/** Minimum interval between reports of the own quality, and their maximum in a call. */
export const qualityReportIntervalMs = 5_000;
export const qualityReportsMax = 50;
/** A weak connection is shown after `weakShownMs`, and announced again after it was good for `weakReannounceMs`. */
export const weakShownMs = 4_000;
export const weakReannounceMs = 30_000;
/** A video that is paused for this long makes both users read that they can wait or press Next. */
export const pausedOfferMs = 60_000;
/** A call that has not reconnected within this time ends. */
export const reconnectGiveUpMs = 12_000;
/**
 * The same after the crash of a server that hosted the call or one user's chat session. It is longer because the page
 * of a hung server notices only after `socketSilenceMs`. It is shorter than `stallGiveUpMs`, because the user who is
 * back sees no partner meanwhile.
 */
export const serverLostGiveUpMs = 18_000;
/** How often a user may return to one call with a new page, and the step of the offer generation per return. */
export const callReturnsMax = 3;
export const returnGenerationStep = 1_000;
/** The server ends a call in which one side reports no picture for this long; browsers end it earlier. */
export const stallGiveUpMs = 20_000;
/** ICE candidates gathered within this time are sent in one message. */
export const candidateBatchMs = 50;
/** An abandoned peer connection closes after the next one's first frame, or after this time (rule CALL-105). */
export const leftConnectionMsMax = 5_000;

/** Reactions of one user in a call: sustained rate, and burst; the server drops the others. */
export const reactionsPerSecondMax = 1;
export const reactionsBurstMax = 3;
/** How long a reaction is shown over a picture. */
export const reactionShownMs = 2_000;
/** Two-choice questions in the catalogs, numbered from 1. */
export const twoChoiceQuestions = 60;
/** How long both users of a call can answer a two-choice question. */
export const twoChoiceAnswerMs = 30_000;
/** An unanswered question can be replaced after this time, an answered one at once. */
export const twoChoiceAgainMs = 20_000;

/** One chat line in a call, in UTF-16 units as in `String.length`. */
export const chatMessageLengthMax = 500;
/** Chat lines that the page keeps for one call. */
export const chatLogLinesMax = 200;

/** Largest message on the socket. */
export const socketMessageBytesMax = 65_536;
export const socketHeartbeatMs = 5_000;
/** The client reconnects a socket that received nothing for this long. */
export const socketSilenceMs = 12_500;
/** A socket without an answer to a ping for this long counts as unreachable. */
export const socketAnswerMs = 3_000;
/** A socket that is still not open after this time counts as missing. */
export const socketGraceMs = 2_000;
/** Interval and timeout of the reachability request that a page without a socket sends. */
export const reachabilityCheckIntervalMs = 2_500;
export const reachabilityCheckTimeoutMs = 2_500;
/** How long a page whose socket was lost can resume its chat session; then the user has left. */
export const socketResumeMs = 30_000;
export const socketHelloMs = 10_000;
/** Timeout of a move to a second socket; the page then tries again. */
export const socketMoveMs = 8_000;
/** How long a move waits for the first socket to acknowledge its last messages, and then for it to close. */
export const socketMoveSettleMs = 1_000;
/** How long a press of Start waits for a running move; then the search begins at the current server. */
export const socketMovePressMs = 300;
/** Delay before the next attempt after a failed move; a random delay of up to the same length is added. */
export const socketMoveRetryMs = 1_000;
/** Unacknowledged pushes kept for a session. */
export const socketOutboxMax = 200;
/** Acknowledgements are sent with the next message, or at once when this many are pending. */
export const socketAckMessagesMax = 16;
/** Messages that a client may send: sustained rate, and burst. */
export const socketMessagesPerSecondMax = 40;
export const socketMessagesBurstMax = 120;
/** Signed requests over the socket: most pending, and largest body; larger ones go by POST. */
export const socketRequestsMax = 8;
export const socketRequestBodyBytesMax = 32_768;
/** A request that is not acknowledged over the socket within this time goes by POST (rule SIGN-66). */
export const socketRequestArrivalMs = 2_000;
/** A request without a response after this time is followed by a ping, whose answer shows whether it arrived. */
export const socketRequestPingMs = 500;
/** A message costs one more unit of the rate limit for each of this many bytes. */
export const socketMessageBytesCounted = 2_048;
/** Largest session description and candidate batch that the server relays. */
export const descriptionLengthMax = 20_000;
/** Carriage returns and line feeds in a description: 600 lines as browsers write them. */
export const descriptionLineEndsMax = 1_200;
export const candidateLengthMax = 1_024;
export const candidatesPerSignalMax = 32;
/** Signals of one user in one room within a window: descriptions, candidate batches, and their bytes. */
export const signalWindowMs = 10_000;
export const signalDescriptionsMax = 10;
export const signalBatchesMax = 50;
export const signalBytesMax = 65_536;

export const nicknameLengthMax = 40;
export const avatarUrlLengthMax = 2_048;
export const identityTokenLengthMax = 8_192;
export const identifierLengthMax = 128;
export const callTicketLengthMax = 192;
export const deviceIdLengthMax = 64;

/** Remote volume at the start of a call, 0 to 100 (rule CALL-6). */
export const remoteVolumePercent = 50;
/** How long the user holds the shield button to leave a call at once. */
export const exitHoldMs = 600;
/** How long each chat line is shown over the picture on a phone, and how many at most. */
export const chatLineShownMs = 8_000;
export const chatLinesShownMax = 3;
export const toastMs = 3_000;
/** How long an action can be undone. */
export const undoMs = 5_000;
export const toastsShownMax = 3;
/** "Got it" below the safety rules is remembered for this long (rule HOME-8). */
export const rulesReadMs = 30 * 86_400_000;
export const signOutRedirectMs = 500;
export const sheetCloseMs = 500;
export const loadingDelayMs = 200;
export const copiedMs = 3_000;
/** Timeout of loading a lazy part of the page. */
export const chunkTimeoutMs = 120_000;

/** The displayed number of users online, and the interval of its changes (rule HOME-5). */
export const onlineCountMin = 110_000;
export const onlineCountMax = 111_000;
export const onlineCountRefreshMs = 2_600;

/** Layout thresholds of the specification, in CSS pixels. */
export const mobileWidthPx = 768;
export const sheetHeightPx = 520;

/** `holdPageKey` is a random number in this range. */
export const holdPageKeyMin = 1;
export const holdPageKeyMax = 100_000;

/** Packs of at least this many beans are never shown (rule BEANS-10). */
export const packBeansShownMax = 5_000_000;
/** Range of a custom number of beans, at the smallest pack's rate. */
export const exactBeansMin = 1_600;
export const exactBeansMax = 100_000;
/** Country whose price list replaces an empty one (rule BEANS-11). */
export const priceListCountryDefault = 18;
/** An unused purchase can be withdrawn for this many days. */
export const withdrawDays = 14;
/** Validity of a recharge token. */
export const rechargeTokenMs = 600_000;
/** The same user, pack and method within this time get the same order: a double click. */
export const orderReuseMs = 60_000;
/** Free time at the start of a filtered match, for `freeMatchesPerDayMax` matches in a UTC day. */
export const freeMs = 10_000;
export const freeMatchesPerDayMax = 20;
/** After the partner's report, the meter waits this long for the payer's own report. */
export const payerSilenceMs = 3_000;
/**
 * How long in a call the meter may pause because the partner does not receive the payer's picture. It exceeds the time
 * after which a page without a picture ends the call (rule BEANS-403).
 */
export const unseenPauseMs = 20_000;
/** Highest filter price in beans a minute, and highest spending cap in beans a day. */
export const beanPriceMax = 1_000_000;
export const spendingCapBeansMax = 100_000_000;
/** Delay before a higher spending cap, or none, applies. */
export const capRaiseDelayMs = 86_400_000;
/** Rows in one page of a list. */
export const listPageRows = 30;
export const reviewNoteLengthMax = 500;

/** One message of a conversation or message request, in UTF-16 units. */
export const messageLengthMax = 1_000;
/** Interval of typing events; the indicator disappears after twice this time without one. */
export const typingRepeatMs = 3_000;
/** How long after a call the other user is listed and can be reported and written to. */
export const recentMs = 86_400_000;
/** The span of "Your week". */
export const weekMs = 604_800_000;
/** People of each kind on the home screen. */
export const homePeopleMax = 12;
/** After a call of this length each user can leave the other a kind word. */
export const kindWordCallMs = 180_000;
/** How long a kind word is kept after it was written, and after it was read. */
export const kindWordKeptMs = 86_400_000;
/** Kind words that the home screen shows at once. */
export const kindWordsShownMax = 3;
export const aboutLengthMax = 160;
export const locationLengthMax = 60;
/** Minimum time between two changes of a nickname. */
export const nicknameChangeMs = 2_592_000_000;
/** Maximum of languages and interests that a user chooses for matching. */
export const spokenLanguagesMax = 5;
export const interestsMax = 6;
/** Countries that a user can exclude from matching. */
export const excludedCountriesMax = 5;
/** Upper bound of country ids; the table has far fewer. */
export const countryIdMax = 511;
/** Search: ages in full years, where the maximum means that age and over. */
export const searchAge = { min: 18, max: 65 } as const;
export const searchTextLengthMax = 40;
/** Distinct users a day that a search shows without a text, or with one shorter than `searchNameLengthMin`. */
export const browsedPeoplePerDayMax = 500;
export const searchNameLengthMin = 3;
/** A search cursor contains a nickname, in base64url. */
export const searchCursorLengthMax = 512;
/** Timeout of an upload: 8 MiB over a slow connection. */
export const uploadTimeoutMs = 120_000;
/** Pictures: bytes of an upload. */
export const imageBytesMax = 8_388_608;
/** Decoded size, width x height x channels x bytes a channel: 25 megapixels at 8 bits, half at 16 bits. */
export const imageDecodedBytesMax = 75_000_000;
export const photosMax = 8;
/** Longest edge that is stored. */
export const imageEdgePx = 1_280;
export const thumbEdgePx = 320;
/** Users that one user can follow, like or block, each. */
export const relationsMax = 10_000;
/** Waiting times reported for a search, in seconds: the first in which half of the searches found a partner. */
export const waitEstimateSeconds = [2, 5, 10, 20, 30, 60, 120, 300] as const;
/** Minimum interval between two requests for the waiting time. */
export const waitEstimateIntervalMs = 5_000;
/** How long two users are not matched after one of them chose not to meet the other. */
export const apartMs = 7_776_000_000;
/** Users whom one user can choose not to meet, at a time. */
export const apartsMax = 1_000;
/** Length of a ring, whatever its outcome (rule RING-1). */
export const ringMs = 30_000;
/** Rings to one friend within a window, and to all friends in a day. */
export const ringsOfFriendMax = 3;
export const ringsOfFriendWindowMs = 600_000;
export const ringsPerDayMax = 20;
/** "Not today": how long the rings of a friend are muted. */
export const ringMuteMs = 86_400_000;
/** Links to a direct call: how long one is valid, and how many a user has at a time and makes in a day. */
export const invitationMs = 86_400_000;
export const invitationsMax = 3;
export const invitationsPerDayMax = 10;
export const invitationOpensPerHourMax = 30;
/** Records of rings are deleted this long after the deadline of the ring. */
export const ringKeptMs = 600_000;
/** How long a deleted account can be restored. */
export const accountRestoreMs = 1_209_600_000;
/** How long an export is kept. */
export const exportKeptMs = 604_800_000;
/** Validity of an export's address; another request for it returns a new one. */
export const exportLinkMs = 3_600_000;
/** Interval of inspected frames, plus or minus the jitter, at moments that the server chooses (rule SAFE-1). */
export const inspectionMs = 10_000;
export const inspectionJitterMs = 2_000;
/** A ticket without a frame after this time counts as missed. */
export const inspectionTicketMs = 6_000;
/** A frame still counts this long after it was requested: a slow uplink delivers it late. */
export const inspectionLateMs = 15_000;
/**
 * When the own and the received frame of one moment differ: by bits of their hashes, in brightness (0 to 255), or in
 * their ratios of width to height. A user whose frames differ in `differing` of the last `moments` is not believed.
 */
export const comparedFrames = { hashBits: 22, luma: 50, aspectRatio: 1.25, moments: 5, differing: 3 } as const;
/**
 * A case opens once frames of `partners` distinct people contradict a user within `togetherMs`. A partner does not count
 * whose frames contradict `lone` users whom nobody else contradicts.
 */
export const contradictions = { partners: 2, togetherMs: 604_800_000, lone: 3 } as const;
/** How long before a call ends for lack of frames both users see a countdown. */
export const uncheckedCountdownMs = 10_000;
/** Format of an inspected frame: scaled to fit, image smoothing off, JPEG. */
export const inspectedFrame = { widthPx: 640, heightPx: 480, quality: 0.85, bytesMax: 153_600 } as const;
/** Length of the reporter's own words, in UTF-16 units. */
export const reportNoteLengthMax = 200;
/** Lengths of a moderator's note, of an appeal and of its answer, in UTF-16 units. */
export const deskNoteLengthMax = 500;
export const appealLengthMax = 1_000;
export const appealAnswerLengthMax = 1_000;
export const mailAddressLengthMax = 254;
/** A ban can be appealed for 184 days, the longest six months; the answer is due in 72 hours. */
export const appealOpenMs = 15_897_600_000;
export const appealAnswerMs = 259_200_000;
/** Lengths of a notice, of a moderator's answer to it, and of its short fields, in UTF-16 units. */
export const noticeTextLengthMax = 2_000;
export const noticeFieldLengthMax = 100;
export const noticePictureLengthMax = 500;
/** Legal basis of an authority's request. */
export const noticeBasisLengthMax = 500;
/** Deadlines of a notice: of the kind `minor`, and of any other. */
export const minorNoticeDueMs = 14_400_000;
export const noticeDueMs = 172_800_000;
/** A notice with less time left is at the top of the desk's list; with less still, administrators are alerted. */
export const noticeUrgentMs = 86_400_000;
export const noticeAlertMs = 28_800_000;
/** What the sender of a notice wrote is erased this long after its decision. */
export const noticeKeptMs = 15_552_000_000;
/** Pictures with at most this many differing bits of 64 are likely copies. */
export const noticeCopyBitsMax = 8;
/** Pictures that the desk shows for one notice. */
export const noticePicturesMax = 40;
/** Notices a day from one address, and in an hour from all. */
export const noticesPerDayMax = 5;
export const noticesPerHourMax = 200;
/** Length of a hold on an account's data; it can be renewed. */
export const holdMs = 7_776_000_000;
/** Counts of authorities' requests below this are published only as "fewer". */
export const publishedCountMin = 10;
/** Duration of a moderator's claim on an item. */
export const claimMs = 600_000;
/** Goal for the time from the opening of a case to its decision. */
export const caseReviewGoalMs = 300_000;
/** How long moderators can reopen a case that they decided themselves. */
export const reopenMs = 600_000;
/** Least time between two records that a moderator's desk is open. */
export const shiftSeenEveryMs = 60_000;
/** A moderator is on shift until the desk has been closed for this long. */
export const onShiftMs = 180_000;
/** A new shift starts after an absence of this length. */
export const shiftBreakMs = 1_800_000;
/** Retention of handover notes; and how many the desk shows. */
export const handoverKeptMs = 604_800_000;
export const handoverNotesShownMax = 20;
/** The desk shows at most this many moderators on shift. */
export const onShiftShownMax = 50;
/** Letters of a search in case texts, and how many pieces of evidence and cases it reads and shows. */
export const caseTextSearchLengthMin = 3;
export const caseTextsSearchedMax = 400;
export const caseTextsFoundMax = 20;
/** The desk suggests a break after this long. */
export const deskBreakMs = 5_400_000;
/** A permanent ban without a second opinion ends this long after the first decision. */
export const banWithoutSecondOpinionMs = 604_800_000;
/** How long a second opinion on a permanent ban is awaited; then the case closes, the ban stays provisional. */
export const secondOpinionMs = 259_200_000;
/** Strikes expire after this long; the third in force is a permanent ban. */
export const strikeMs = 7_776_000_000;
export const strikesMax = 3;
/** Retention of sealed evidence. */
export const evidenceKeptMs = 2_592_000_000;
/** Retention of a random frame that waits for its audit, from its capture; and of the answers, for the figures. */
export const sampledFrameKeptMs = 604_800_000;
export const auditAnswersKeptMs = 31_449_600_000;
/** Most random frames in a week, and fewest looks and confirmed cases from which a share is published. */
export const auditFramesWeeklyMax = 700;
export const auditedFramesMin = 20;
/** Length of the first suspension by software; and of a repeated suspension or a pause by reports. */
export const suspensionMs = 900_000;
export const pauseMaxMs = 86_400_000;
/** Pause by the estimate of an age alone. */
export const hintPauseMs = 900_000;
/** Pause by an unproven reporter's "may be under 18", and the minimum interval between two for one user. */
export const unprovenPauseMs = 14_400_000;
export const unprovenPauseEveryMs = 604_800_000;
/** Undecided pauses within a day for suspected minors that one reporter can cause. */
export const pausesByReporterMax = 2;
/** A moderator decides within this time about a pause or mute that its user questioned, or a pause that ran out. */
export const reviewPromisedMs = 3_600_000;
/** Age checks that a user can begin in 24 hours and in 30 days; then support decides. */
export const ageChecksPerDayMax = 3;
export const ageChecksPerMonthMax = 6;
/** A moderator who asked for an age check decides the case after this long without a pass. */
export const ageAskMs = 1_209_600_000;
/** Retention of the vendor's number of an age check and of its time of day. */
export const ageReferenceKeptMs = 2_592_000_000;
/** A moderator answers a question about a refused name or text within this time. */
export const textReviewPromisedMs = 86_400_000;
/** Questions about texts and mutes of one user in a day. */
export const textQuestionsPerDayMax = 10;
/** How long frames and chat lines of a call stay in memory after it, for a report. */
export const callRememberedMs = 120_000;
/** Retention of sign-in addresses and devices, and of reports. */
export const addressesKeptMs = 7_776_000_000;
export const reportsKeptMs = 15_552_000_000;
/** Retention of call records: which accounts met, when, and how the call ended. */
export const callsKeptMs = 15_552_000_000;
/** Retention of signals that software noticed without acting on them. */
export const signalsKeptMs = 2_592_000_000;
/** Retention of text findings (never of the texts), and the period of the rates by rule. */
export const textFindingsKeptMs = 2_592_000_000;
/** Interval at which the live tab of administrators loads its numbers, and the steps and length of its charts. */
export const liveIntervalMs = 2_000;
export const liveSlotMs = 10_000;
export const liveSlots = 60;
export const liveCountriesShownMax = 10;
/** Smaller counts of people or calls are not shown in the daily figures. */
export const figureCountMin = 20;
/** A call that ends sooner counts as short. */
export const shortCallMs = 10_000;
/** Largest body of a report about the content security policy, and how many distinct reports of a day are kept. */
export const cspReportBytesMax = 8_192;
export const cspReportRowsPerDayMax = 500;
export const cspReportsKeptMs = 2_592_000_000;
export const cspReportsShownMax = 50;
/** A text rule with findings of fewer writers is never marked as doubtful. */
export const textRuleWritersMin = 5;
/** Rows in the desk's list of text rules. */
export const textRulesShownMax = 200;
/** Help lines that an operator can configure. */
export const helpLinesMax = 64;
/** Passkeys of one user, and recovery codes of one set. */
export const passkeysMax = 10;
export const recoveryCodesMax = 10;
/** Characters of a recovery code, without its hyphens: 80 random bits. */
export const recoveryCodeLength = 16;
/** Validity of a challenge that a passkey signs. */
export const passkeyChallengeMs = 300_000;
/** Length of a signed answer of a passkey, as JSON. */
export const passkeyAnswerLengthMax = 16_384;
/** Length of a push service URL. */
export const pushEndpointLengthMax = 1_024;
/** Push subscriptions of one user; a new one replaces the oldest. */
export const pushSubscriptionsMax = 5;
/** A subscription of a browser that the user has not used for this long is deleted. */
export const pushKeptMs = 5_184_000_000;
/** Consecutive failures after which a subscription is deleted. */
export const pushFailuresMax = 10;
/** A user who declined notifications is asked again after this long. */
export const pushAskAgainMs = 2_592_000_000;
/** Message notifications of one user in a day. */
export const messageNotificationsPerDayMax = 10;
/** Ring notifications of one user in a day. */
export const ringNotificationsPerDayMax = 30;
/** Decision notifications of one user in a day. */
export const decisionNotificationsPerDayMax = 3;
/** Notifications of one user in a day that another user wants to meet again, too. */
export const meetNotificationsPerDayMax = 5;
/** Hours for a language or a topic: their lengths, how many are planned at most, and how far ahead they begin. */
export const topicHourMinutes = [30, 60, 90, 120] as const;
export const topicHoursMax = 20;
export const topicHourAheadMs = 7_776_000_000;
/** Users see an hour this long before it begins. */
export const topicHourShownMs = 86_400_000;
/** Notifications of one user in a day that an hour begins. */
export const hourNotificationsPerDayMax = 3;
/** How long a push service keeps a decision notification. */
export const decisionNotificationTtlSeconds = 604_800;
/** Delay before the notification of an answered appeal is retried; each further failure doubles it. */
export const appealNotificationRetryMs = 60_000;
/** A reporter who is offline receives the outcome when they are back within this time. */
export const reportOutcomeDeliveryMs = 2_592_000_000;
/** Network tests of one user in an hour; each uses as much of the relay as a call. */
export const networkTestsPerHourMax = 6;
/** How long a request for a notification of a fitting search is kept. */
export const matchSubscriptionTtlMs = 86_400_000;
/** Notifications of a fitting search that one user gets in a day. */
export const matchNotificationsPerDayMax = 3;
/** Waits after which a search notifies users who asked for one like it, `matchNotificationsAtOnceMax` each time. */
export const matchNotificationDelaysMs = [5_000, 15_000] as const;
export const matchNotificationsAtOnceMax = 2;
/** How long a push service keeps such a notification; the searching user rarely waits longer. */
export const matchNotificationTtlSeconds = 120;
/** Range of UTC offsets, in minutes. */
export const pushOffsetMin = { min: -840, max: 840 } as const;

/** How long the link in a mail confirms its address. */
export const mailConfirmMs = 24 * 3_600_000;
/** Mails to one address. Above it, mails by choice are dropped and the others wait. */
export const mailsPerDayMax = 10;
/** Changes of a user's mail address, each of which sends a mail. */
export const mailChangesPerDayMax = 10;
/** How long the server remembers that it sent a mail. */
export const mailsKeptMs = 30 * 86_400_000;
