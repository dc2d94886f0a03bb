/**
 * Views that are examined in every window and variant: one of each screen, panel and dialog, with as much content as
 * possible. The others are states of these. `npm run test:deep -- gallery` treats all of them alike.
 */
export const screens: ReadonlySet<string> = new Set(
  [
    "visitor-home visitor-filters visitor-login visitor-contact visitor-recovery visitor-sandbox-chooser visitor-insecure",
    "onboarding-profile onboarding-under-age home-member home-kind-words home-people home-hour home-hour-now home-menu home-long-name home-muted home-rules home-no-profiles",
    "home-preferences home-preferences-countries home-left-out-none home-countries-on-a-phone devices-denied devices-asking devices-no-calls home-languages",
    "session-kicked session-expired session-banned session-account-deleted session-call-ended",
    "pages-privacy pages-accessibility pages-about pages-cooperation pages-languages pages-not-found pages-not-loaded",
    "pages-safety pages-safety-text pages-transparency notice-form notice-status notice-desk",
    "call-searching-filters call-widen call-connecting call-meeting call-in-call call-left call-other-away call-other-paused-long call-own-paused call-reconnecting call-lost call-reactions call-two-choice call-left-kind",
    "call-searching-unseen call-search-checks call-left-checks call-all-refused call-may-return return-offer return-going take-over reach-call reach-search",
    "safety-checking safety-hidden safety-kept safety-warned safety-covered safety-own-ends safety-unchecked-own-late safety-report safety-cut-paid safety-panic-sent",
    "safety-paused-asked over-call-profile over-call-messages",
    "covered-hidden covered-threat covered-folded covered-message covered-message-threat covered-request-refused",
    "translation-line translation-message translation-setting",
    "desk-queue desk-case-shown desk-case-withheld desk-case-background desk-keys desk-forbid desk-undo desk-queue-empty desk-denied desk-find-results desk-person",
    "desk-person-forbid desk-person-tools desk-grid desk-one desk-reject desk-appeals desk-appeal desk-figures desk-shift desk-log",
    "words-refused words-asked words-desk-mute words-desk-text words-muted",
    "desk-figures-tables appeal-notice appeal-form appeal-upheld",
    "shop shop-pack pay pay-methods pay-failed charge-return-paid statement receipt withdraw cap-at-once low-popup low-bar",
    "meter-pill meter-running meter-stopped-by-camera ran-out admin admin-live admin-figures admin-pack admin-hour admin-review",
    "people-following people-recent people-waits people-found people-other people-report people-photo",
    "ring-in ring-out ring-not-taken invite-links invite-asked invite-link invite-waiting",
    "messages-list messages-thread messages-missed messages-menu messages-requests messages-request messages-offline",
    "profile-changed profile-crop profile-preview profile-discard profile-talk account account-notifications account-passkeys account-recovery-codes notify account-delete account-contact",
  ].flatMap((line) => line.split(" ")),
);
