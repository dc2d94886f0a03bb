/**
 * Every number that both sides must agree on, with its unit last in its name. Numbers that only an operator changes
 * (prices, countries, contact data) are settings of the server instead.
 */

/** Age from which a person may use the service, in full years on the UTC calendar (rule AGE-1). */
export const ageYearsMin = 18;
/** Years offered first in the birthday step, and the older ones behind "earlier years" (rule AGE-3). */
export const birthYearOffered = { first: 1980, last: 2019, earliest: 1926 } as const;
/** Where the birthday picker stands when it opens, `YYYY-MM-DD` (rule AGE-4). */
export const birthdayPickerDefault = "2006-10-28";

/** Calls of the product: the client gives up after this long (rule SIGN-20). */
export const requestTimeoutMs = 30_000;
/** The small request helper: its default, and what it uses for the connection check. */
export const smallRequestTimeoutMs = 10_000;
export const connectionCheckTimeoutMs = 5_000;
/** How far a signed call's timestamp may be from the server's clock. */
export const signatureWindowMs = 300_000;
/** A search is signed ahead of its press; one that has waited longer than this is signed anew. */
export const signedAheadMsMax = 120_000;
/** Nonces are remembered twice as long as a timestamp is accepted. */
export const nonceMemoryMs = 600_000;
export const signNonceHexLength = 32;
/** Largest body of a call with text fields only, and of a call that carries a picture. */
export const requestBodyBytesMax = 65_536;
export const formFieldsMax = 40;
export const formFieldBytesMax = 32_768;

/** The 10 s matching time-out: who has not joined by then goes back to searching (rule MATCH-6). */
export const matchTimeoutMs = 10_000;
/** How often the connection check goes out in states 2 and 3. */
export const connectionCheckMs = 10_000;
/** After this long without anybody, searching offers to widen. */
export const widenOfferMs = 10_000;
/** The camera stays open so long after End for whoever wants that. */
export const cameraKeptMs = 30_000;
/** No first frame so long after a match: the page says whom it is connecting to. */
export const slowPictureMs = 1_000;
/** Next does nothing in the first moments of a match, so that a double press skips one person, not two. */
export const nextGuardMs = 1_500;
/** The low-beans notice comes this long after `is_enough` 0. */
export const lowBeansNoticeMs = 10_000;
/** Statistics are read this often; without new bytes for `mediaStallMs` the call counts as reconnecting. */
export const mediaStatsMs = 500;
export const mediaStallMs = 1_500;
/** What is sent is read this often, and sent on another rung where the way wants it. */
export const sendStatsMs = 2_000;
/** How well the own side gets through is told on a change, this often at most, and so many times in a call. */
export const qualityTellMs = 5_000;
export const qualityWordsMax = 50;
/** A weak connection is shown when it has been weak for so long, and said aloud again after it was good for so long. */
export const weakShownMs = 4_000;
export const weakSaidAgainMs = 30_000;
/** Whoever has had no picture for so long is asked whether they want to go on to the next person. */
export const pausedAskMs = 60_000;
/** A call that has not come back after this long is given up. */
export const reconnectGiveUpMs = 12_000;
/**
 * The same where the server has died that had the call, or the chat session of one of the two: the page of one that hangs
 * finds that out by its silence, a heartbeat later at most. Shorter than `stallGiveUpMs`: who is back sees nobody meanwhile.
 */
export const serverLostGiveUpMs = 18_000;
/** So often a person whose page was gone may come back to one call; each time its offers begin so much higher. */
export const callReturnsMax = 3;
export const returnGenerationStep = 1_000;
/** The server ends a call of which one side has said for so long that no picture comes: later than the browser does. */
export const stallGiveUpMs = 20_000;
/** Candidates gathered within this time travel in one message. */
export const candidateBatchMs = 50;
/** A connection that carries nothing any more is closed after the next first picture, and no later than this (rule CALL-105). */
export const leftConnectionMsMax = 1_000;

/** One chat line in a call, counted in UTF-16 units as `String.length` does. */
export const chatMessageLengthMax = 500;
/** Chat lines kept on the page of one call. */
export const chatLogLinesMax = 200;

/** Messages of the socket. */
export const socketMessageBytesMax = 65_536;
export const socketHeartbeatMs = 5_000;
/** A socket that was silent for this long is dead. */
export const socketSilenceMs = 12_500;
/** A socket that leaves a ping without an answer for this long is told as one that cannot be reached. */
export const socketAnswerMs = 3_000;
/** Opening a socket takes no longer: after this one that is not there is missed. */
export const socketGraceMs = 2_000;
/** Whether Fava answers is asked this often where no socket tells it, and the answer waited for this long. */
export const reachEveryMs = 2_500;
export const reachAskMs = 2_500;
/** A dropped session can be resumed for this long; afterwards the person has left. */
export const socketResumeMs = 30_000;
export const socketHelloMs = 10_000;
/** A page that is told to move goes over to a second socket in so long, or tries again. */
export const socketMoveMs = 8_000;
/** So long it is awaited that the first socket has taken what was said over it, and has said its last. */
export const socketMoveSettleMs = 1_000;
/** How long a press of Start waits for a running move; then the search begins at the current server. */
export const socketMovePressMs = 300;
/** A page that could not move tries again after this long, and up to as much more. */
export const socketMoveRetryMs = 1_000;
/** Pushes kept for a session until they are acknowledged. */
export const socketOutboxMax = 200;
/** Arrivals are acknowledged on the next message, or at once when this many wait. */
export const socketAckMessagesMax = 16;
/** Messages a client may send: sustained a second, and at once. */
export const socketMessagesPerSecondMax = 40;
export const socketMessagesBurstMax = 120;
/** Signed calls over the socket: on their way at once, and the largest body; a larger one goes by POST. */
export const socketRequestsMax = 8;
export const socketRequestBodyBytesMax = 32_768;
/** A signed call that nothing shows to have arrived over the socket after this long goes by POST (rule SIGN-66). */
export const socketRequestArrivalMs = 2_000;
/** One that is not answered by then is followed by a ping, which asks whether it has arrived. */
export const socketRequestPingMs = 500;
/** A message counts once more for each of so many bytes. */
export const socketMessageBytesCounted = 2_048;
/** Largest session description and candidate batch that is relayed. */
export const descriptionLengthMax = 20_000;
/** Carriage returns and line feeds in it: 600 lines as browsers write them. */
export const descriptionLineEndsMax = 1_200;
export const candidateLengthMax = 1_024;
export const candidatesPerSignalMax = 32;
/** Signals of one person in one room, in a window of time: descriptions, batches of candidates, and their bytes. */
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
/** How long the shield is held to get out of a call at once, in milliseconds. */
export const exitHoldMs = 600;
/** Chat lines over the picture of a phone: how long each is shown, in milliseconds, and how many at most. */
export const chatLineShownMs = 8_000;
export const chatLinesShownMax = 3;
/** Toasts and dialogs. */
export const toastMs = 3_000;
/** What was done at once can be undone for this long. */
export const undoMs = 5_000;
export const toastsShownMax = 3;
/** "Got it" below the safety rules holds for this long (rule HOME-8). */
export const rulesReadMs = 30 * 86_400_000;
export const signOutRedirectMs = 500;
export const sheetCloseMs = 500;
export const loadingDelayMs = 200;
export const copiedMs = 3_000;
/** A lazily loaded part of the page may take this long. */
export const chunkTimeoutMs = 120_000;

/** The displayed number of people online, and how often it changes (rule HOME-5). */
export const onlineCountMin = 110_000;
export const onlineCountMax = 111_000;
export const onlineCountRefreshMs = 2_600;

/** Layout thresholds of the specification, in CSS pixels. */
export const mobileWidthPx = 768;
export const sheetHeightPx = 520;

/** `holdPageKey` is a random number in this range. */
export const holdPageKeyMin = 1;
export const holdPageKeyMax = 100_000;

/** Packs of this many beans or more are never shown (rule BEANS-10). */
export const packBeansShownMax = 5_000_000;
/** An exact number of beans that can be bought, at the smallest pack's rate. */
export const exactBeansMin = 1_600;
export const exactBeansMax = 100_000;
/** Country whose price list stands in for an empty one (rule BEANS-11). */
export const priceListCountryDefault = 18;
/** An unused purchase can be withdrawn for this long. */
export const withdrawDays = 14;
/** A recharge token opens the payment entry for this long. */
export const rechargeTokenMs = 600_000;
/** The same person, pack and method within this time get the same order (a double click). */
export const orderReuseMs = 60_000;
/** The first seconds of a filtered match cost nothing, for so many matches of a UTC day. */
export const freeMs = 10_000;
export const freeMatchesPerDayMax = 20;
/** The clock of a paid call waits so long for the payer to say that they see somebody who sees them. */
export const payerSilenceMs = 3_000;
/**
 * That the other gets none of the payer's picture stops it for so long in a call: longer than a page waits for a picture
 * before it gives the call up (rule BEANS-403).
 */
export const unseenPauseMs = 20_000;
/** Highest price of a filter in beans a minute, and highest spending cap in beans a day. */
export const beanPriceMax = 1_000_000;
export const spendingCapBeansMax = 100_000_000;
/** A higher spending cap, or none, holds only after this long. */
export const capRaiseDelayMs = 86_400_000;
/** Rows of one page of a list. */
export const listPageRows = 30;
export const reviewNoteLengthMax = 500;

/** A message of a conversation, in UTF-16 units; requests among them. */
export const messageLengthMax = 1_000;
/** Typing is told again after this long, and forgotten when it was not told for twice as long. */
export const typingRepeatMs = 3_000;
/** People met are shown, can be reported and written to for this long. */
export const recentMs = 86_400_000;
export const aboutLengthMax = 160;
export const locationLengthMax = 60;
/** A nickname can be changed again after this long. */
export const nicknameChangeMs = 2_592_000_000;
/** What somebody says of themself to be brought together with people they can talk to. */
export const spokenLanguagesMax = 5;
export const interestsMax = 6;
/** Countries whose people somebody chooses not to meet. */
export const leavesOutMax = 5;
/** Largest id that a country can have; the table ends far below. */
export const countryIdMax = 511;
/** Search: ages in full years, where the highest means that age and over. */
export const searchAge = { min: 18, max: 65 } as const;
export const searchTextLengthMax = 40;
/** Different people a day whom a search shows that names nobody: without a text, or with a shorter one than this. */
export const browsedPeoplePerDayMax = 500;
export const searchNameLengthMin = 3;
/** A cursor of search holds a nickname, in base64url. */
export const searchCursorLengthMax = 512;
/** An upload may take so long altogether: 8 MiB over a slow line. */
export const uploadTimeoutMs = 120_000;
/** Pictures: bytes of an upload, photos of a profile, and the longest edge that is stored, in pixels. */
export const imageBytesMax = 8_388_608;
/** Of a picture that is decoded, width x height x channels x bytes of each: 25 million pixels of 8 bits, half of 16. */
export const imageDecodedBytesMax = 75_000_000;
export const photosMax = 8;
export const imageEdgePx = 1_280;
export const thumbEdgePx = 320;
/** People one can follow, like or block, each. */
export const relationsMax = 10_000;
/** Waits that are told of a search, seconds: the shortest of them by which half have found somebody. */
export const outlookSeconds = [2, 5, 10, 20, 30, 60, 120, 300] as const;
/** Nobody asks for them more often. */
export const outlookEveryMs = 5_000;
/** Whoever is not to be met again is not for this long. */
export const apartMs = 7_776_000_000;
/** People one can choose not to meet again, at a time. */
export const apartsMax = 1_000;
/** A ring of a friend lasts so long, whatever becomes of it (rule RING-1). */
export const ringMs = 30_000;
/** Rings of one friend in a window of time, and of all in a day. */
export const ringsOfFriendMax = 3;
export const ringsOfFriendWindowMs = 600_000;
export const ringsPerDayMax = 20;
/** "Not today": so long a friend's rings are not let through. */
export const ringMuteMs = 86_400_000;
/** Who rang whom is forgotten so long after the ring should have ended. */
export const ringKeptMs = 600_000;
/** A deleted account can come back for this long. */
export const accountRestoreMs = 1_209_600_000;
/** An export is kept for this long. */
export const exportKeptMs = 604_800_000;
/** The address of an export opens for this long; asking for it again gives a new one. */
export const exportLinkMs = 3_600_000;
/** Pictures of a call that software looks at: every so often, give or take the jitter, at moments the server chooses (rule SAFE-1). */
export const inspectionMs = 10_000;
export const inspectionJitterMs = 2_000;
/** A ticket that brought no picture after this long is missed. */
export const inspectionTicketMs = 6_000;
/** A frame still counts this long after it was requested, in milliseconds: a slow uplink delivers it late. */
export const inspectionLateMs = 15_000;
/** How long before the end of a call without frames both people see a countdown, in milliseconds. */
export const uncheckedCountdownMs = 10_000;
/** How a frame travels: scaled to fit, smoothing off, JPEG. */
export const inspectedFrame = { widthPx: 640, heightPx: 480, quality: 0.85, bytesMax: 153_600 } as const;
/** Letters of the reporter's own words, in UTF-16 units. */
export const reportNoteLengthMax = 200;
/** Letters of a note for colleagues, of an appeal and of its answer, in UTF-16 units. */
export const deskNoteLengthMax = 500;
export const appealLengthMax = 1_000;
export const appealAnswerLengthMax = 1_000;
export const appealEmailLengthMax = 254;
/** An appeal can be made for six months, however long they are (184 days), and is answered in 72 hours. */
export const appealOpenMs = 15_897_600_000;
export const appealAnswerMs = 259_200_000;
/** A moderator's claim on an item. */
export const claimMs = 600_000;
/** After so long at the desk a break is suggested. */
export const deskBreakMs = 5_400_000;
/** A ban for good that waits for its second opinion ends this long after the first, if nobody gives one. */
export const unsecondedBanMs = 604_800_000;
/** A ban for good that nobody seconded becomes provisional after this long. */
export const secondOpinionMs = 259_200_000;
/** Strikes in force expire after this long; the third is for good. */
export const strikeMs = 7_776_000_000;
export const strikesMax = 3;
/** Evidence is kept sealed for this long. */
export const evidenceKeptMs = 2_592_000_000;
/** The first suspension by software, and the longest pause that software or reports alone may give. */
export const suspensionMs = 900_000;
export const pauseMaxMs = 86_400_000;
/** Pause by a report "may be under 18" whose reporter is unproven, and how often such reporters pause one person. */
export const unprovenPauseMs = 14_400_000;
export const unprovenPauseEveryMs = 604_800_000;
/** Pauses by one reporter of suspected minors within a day that no administrator has decided about. */
export const pausesByReporterMax = 2;
/** A moderator decides within this time about a pause or mute that its user asked about, or a pause that ran out. */
export const lookPromisedMs = 3_600_000;
/** A moderator answers a question about a refused name or text within this time. */
export const textLookPromisedMs = 86_400_000;
/** Questions about texts and mutes of one user in a day. */
export const textQuestionsPerDayMax = 10;
/** Pictures and chat lines of a call stay in memory for this long after it, for a report. */
export const callRememberedMs = 120_000;
/** Kept, then forgotten: addresses and devices of sign-ins, reports, and what software only noticed. */
export const addressesKeptMs = 7_776_000_000;
export const reportsKeptMs = 15_552_000_000;
/** Which accounts met, when, and how it ended. */
export const callsKeptMs = 15_552_000_000;
export const signalsKeptMs = 2_592_000_000;
/** Findings in texts are kept for this time, never the texts; rates by rule count this time. */
export const textFindingsKeptMs = 2_592_000_000;
/** A text rule that found something of fewer writers is not marked, however many of them dispute it. */
export const textRuleWritersMin = 5;
/** Rows of the desk's list of text rules. */
export const textRulesShownMax = 200;
/** Help lines that an operator can name. */
export const helpLinesMax = 64;
/** Letters of the address at which a push service takes messages for a browser. */
export const pushEndpointLengthMax = 1_024;
/** Browsers of one person that are told something; the oldest makes room. */
export const pushSubscriptionsMax = 5;
/** Whoever was not here with a browser for so long is told nothing there any more. */
export const pushKeptMs = 5_184_000_000;
/** Failures in a row after which a browser is told nothing any more. */
export const pushFailuresMax = 10;
/** Whoever did not want to be told is asked again after this long. */
export const pushAskAgainMs = 2_592_000_000;
/** Notifications of messages that one person gets in a day. */
export const messageNotificationsPerDayMax = 10;
/** Notifications of friends who ring that one person gets in a day. */
export const ringNotificationsPerDayMax = 30;
/** Notifications of decisions of ours that one person gets in a day. */
export const decisionNotificationsPerDayMax = 3;
/** How long a push service keeps the word of a decision. */
export const decisionNotificationTtlSeconds = 604_800;
/** After a failure the word of an answered appeal is sent again so much later; each further one doubles it. */
export const appealToldAgainMs = 60_000;
/** Whoever reported somebody and is not here hears what became of it when they come, within this time. */
export const reportOutcomeToldMs = 2_592_000_000;
/** Tests of one's network in an hour: each takes as much of the relay as a call. */
export const networkTestsPerHourMax = 6;
/** What somebody asked to be told of, "when somebody comes", holds for so long. */
export const matchTellKeptMs = 86_400_000;
/** Notifications of somebody who fits that one person gets in a day. */
export const fitNotificationsPerDayMax = 3;
/** After so long without a match people who asked for somebody like this are told, each time so many at most. */
export const fitsToldAfterMs = [5_000, 15_000] as const;
export const fitsToldAtOnceMax = 2;
/** Nobody who waits is still there much later: how long a push service keeps the word of it. */
export const fitNotificationTtlSeconds = 120;
/** How far a clock can be ahead of UTC, in minutes. */
export const pushOffsetMin = { min: -840, max: 840 } as const;
