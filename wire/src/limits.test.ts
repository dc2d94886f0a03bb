import { expect, test } from "vitest";
import * as limits from "./limits.ts";

// The limits of the product, stated a second time, so that no change of one goes unnoticed.

test.each([
  ["[AGE-1] the minimum age is 18 years", limits.ageYearsMin, 18],
  [
    "[AGE-3] birth years are 1980 to 2019, earlier ones from 1926",
    limits.birthYearOffered,
    { first: 1980, last: 2019, earliest: 1926 },
  ],
  ["[AGE-4] the picker starts at 2006-10-28", limits.birthdayPickerDefault, "2006-10-28"],
])("%s", (_rule, value, promised) => {
  expect(value).toEqual(promised);
});

test.each([
  ["[SIGN-20] a request times out after 30 s", limits.requestTimeoutMs, 30_000],
  ["a small request times out after 10 s by default", limits.smallRequestTimeoutMs, 10_000],
  ["a room check times out after 5 s", limits.connectionCheckTimeoutMs, 5_000],
  ["[SIGN-14] a timestamp may be 300 s off", limits.signatureWindowMs, 300_000],
  ["[SIGN-15] nonces are remembered for 600 s", limits.nonceMemoryMs, 600_000],
  ["[SIGN-2] a nonce has 32 hexadecimal digits", limits.signNonceHexLength, 32],
  ["a form of texts has at most 64 KiB", limits.requestBodyBytesMax, 65_536],
  ["a form has at most 40 fields", limits.formFieldsMax, 40],
  ["a field has at most 32 KiB", limits.formFieldBytesMax, 32_768],
])("%s", (_rule, value, promised) => {
  expect(value).toBe(promised);
});

test.each([
  ["[MATCH-5] the room check is sent every 10 s", limits.connectionCheckMs, 10_000],
  ["[MATCH-6] the matching time-out is 10 s", limits.matchTimeoutMs, 10_000],
  ["[MATCH-7] wider filters are offered after 10 s", limits.widenOfferMs, 10_000],
  ["Next is ignored for 1.5 s", limits.nextGuardMs, 1_500],
  ["a lost connection is given up after 12 s", limits.reconnectGiveUpMs, 12_000],
  ["a reported stall ends the call after 20 s", limits.stallGiveUpMs, 20_000],
  ["the low-beans notice comes after 10 s", limits.lowBeansNoticeMs, 10_000],
  ["a line has at most 500 characters", limits.chatMessageLengthMax, 500],
  ["[CALL-6] the partner's volume starts at 50", limits.remoteVolumePercent, 50],
])("%s", (_rule, value, promised) => {
  expect(value).toBe(promised);
});

test("detects a stall within 2 s", () => {
  expect(limits.mediaStallMs + limits.mediaStatsMs).toBeLessThanOrEqual(2_000);
});

test.each([
  ["[SOCKET-67] the client pings every 5 s", limits.socketHeartbeatMs, 5_000],
  ["[SOCKET-67] a socket is dead after 12.5 s of silence", limits.socketSilenceMs, 12_500],
  ["[SOCKET-67] the hello is due within 10 s", limits.socketHelloMs, 10_000],
  ["[SOCKET-64] a dropped session can be resumed for 30 s", limits.socketResumeMs, 30_000],
  ["200 pushes are kept", limits.socketOutboxMax, 200],
  ["16 messages wait for an acknowledgement at most", limits.socketAckMessagesMax, 16],
  ["40 messages a second", limits.socketMessagesPerSecondMax, 40],
  ["a burst of 120 messages", limits.socketMessagesBurstMax, 120],
  ["a message has at most 64 KiB", limits.socketMessageBytesMax, 65_536],
  ["the body of a request over the socket has at most 32 KiB", limits.socketRequestBodyBytesMax, 32_768],
  ["at most eight requests over the socket are open", limits.socketRequestsMax, 8],
  ["[SIGN-66] the arrival of such a request shows within 2 s", limits.socketRequestArrivalMs, 2_000],
  ["[SIGN-66] a ping follows a request without a response for 500 ms", limits.socketRequestPingMs, 500],
])("%s", (_rule, value, promised) => {
  expect(value).toBe(promised);
});

test("leaves most of the outbox to messages other than acknowledgements", () => {
  expect(limits.socketAckMessagesMax * 4).toBeLessThanOrEqual(limits.socketOutboxMax);
});

test.each([
  ["a toast lasts 3000 ms", limits.toastMs, 3_000],
  ["three toasts at most", limits.toastsShownMax, 3],
  ["the loading overlay comes after 200 ms", limits.loadingDelayMs, 200],
  ["a bottom sheet slides down for 500 ms", limits.sheetCloseMs, 500],
  ["a copy button shows its result for 3 s", limits.copiedMs, 3_000],
  ["a part of the page has 120 s to load", limits.chunkTimeoutMs, 120_000],
  ["[SIGNIN-5] sign-out goes home after 500 ms", limits.signOutRedirectMs, 500],
  ["[HOME-5] the smallest displayed online count", limits.onlineCountMin, 110_000],
  ["[HOME-5] the largest displayed online count", limits.onlineCountMax, 111_000],
  ["[HOME-5] the count changes every 2.6 s", limits.onlineCountRefreshMs, 2_600],
  ["below 768 px it is mobile", limits.mobileWidthPx, 768],
  ["up to 520 px high a dialog is a bottom sheet", limits.sheetHeightPx, 520],
  ["the smallest page key", limits.holdPageKeyMin, 1],
  ["the largest page key", limits.holdPageKeyMax, 100_000],
])("%s", (_rule, value, promised) => {
  expect(value).toBe(promised);
});
