/**
 * Texts that a language correctly writes like English, by language: the same word (German *Computer*, Danish *Send*),
 * the same abbreviation (*min*), or only names. Texts without words, such as `{name}, {why}`, are not listed.
 */
const lists: Readonly<Record<string, string>> = {
  tr: `
    admin.tab.site talk.interest.anime either.7.b either.12.a
  `,
  id: `
    ban.reason.3 call.volume desk.image.avatar desk.keys.label desk.label desk.role.2 desk.role.3
    other.number pref.global talk.interest.anime
    either.7.b either.32.a either.33.b either.35.a either.44.a
  `,
  de: `
    admin.tab.live account.computer ban.reason.3 call.chat cap.kind common.ok desk.find.person home.online home.speakerTest
    menu.theme.auto msg.presence.offline passkeys.title people.online people.tab.fans people.tab.likes profile.name
    reason.report.6
    either.6.b either.7.b either.12.a either.24.b either.32.a either.33.b either.37.b either.44.a either.47.b
    either.53.a
  `,
  fr: `
    admin.tab.site admin.title account.part.messages admin.csp.page admin.csp.rule admin.packs.title ban.reason.3 call.price call.volume common.ok contact.mail
    desk.event.note desk.figures.min desk.figures.minutes desk.image.avatar desk.image.photo desk.keys.note
    desk.row.urgent desk.tab.avatars desk.tab.photos home.messages menu.theme.auto msg.list msg.title
    other.message other.photos page.picture.time people.tab.fans people.tab.likes photo.name profile.photos
    reason.report.6 shop.packs statement.adjustment talk.interest.anime talk.interest.architecture
    talk.interest.camping talk.interest.cricket talk.interest.films talk.interest.football
    talk.interest.tennis toast.region
    either.7.b either.8.b either.9.a either.11.b either.12.b either.24.a either.29.b either.35.a either.41.a
  `,
  fil: `
    admin.tab.site account.computer appeal.refund ban.reason.3 call.chat common.ok desk.event.strike desk.figures.min
    desk.figures.minutes desk.image.avatar desk.key.space desk.keys.label desk.label desk.review.grid
    desk.review.layout desk.role.2 desk.rule.report desk.same.address desk.same.device desk.software
    desk.strike desk.tab.shift desk.title.shift home.camera home.sample.name home.speaker msg.presence.offline other.title
    disputed.kinds.link page.accessibility passkeys.code page.transparency pay.order people.online reason.report.6 safety.mailSubject
    statement.order talk.interest.skating
  `,
  nl: `
    admin.tab.live admin.tab.site account.computer admin.price.was ban.reason.3 call.chat call.man call.price call.volume common.ok
    contact.mail desk.figures.min desk.figures.minutes desk.keys.label desk.label desk.labels desk.man
    desk.role.2 desk.software gender.male home.camera home.online home.speakerTest menu.theme.auto
    msg.presence.offline people.online people.tab.fans people.tab.likes people.tab.recent reason.report.6
    region.recent talk.interest.anime talk.interest.cricket talk.interest.films talk.interest.series
    talk.interest.tennis transparency.bans
    either.6.b either.7.b either.12.a either.23.b either.32.a either.33.a either.33.b either.35.a either.37.b
    either.45.b either.47.b either.50.b
  `,
  ms: `
    ban.reason.3 call.price common.ok desk.figures.min desk.figures.minutes desk.image.avatar
    desk.keys.label desk.label desk.review.grid desk.role.2 home.sample.name msg.edit other.number
    pref.global reason.report.6 talk.interest.anime
    either.33.b either.35.a either.44.a
  `,
  pt: `
    admin.tab.site ban.reason.3 call.chat call.price call.volume common.ok contact.mail desk.figures.min
    desk.figures.minutes desk.image.avatar desk.software home.online menu.theme.auto msg.presence.offline
    page.picture.time people.online pref.global reason.report.6 talk.interest.anime
    either.28.a either.33.b either.35.a either.47.a
  `,
  ja: "common.ok",
  uz: `
    ban.reason.3 call.chat cap.kind common.ok desk.role.2 desk.role.3 pref.global reason.report.6
    talk.interest.anime talk.interest.tennis
    either.45.b
  `,
  el: "common.ok contact.mail",
  it: `
    account.computer ban.reason.3 call.chat call.price call.volume common.ok contact.mail desk.figures.min
    desk.figures.minutes desk.image.avatar desk.no desk.software home.online menu.theme.auto
    msg.presence.offline page.picture.time people.online reason.report.6 talk.interest.anime
    talk.interest.cricket talk.interest.tennis
    either.7.b either.47.a
  `,
  vi: `
    ban.reason.3 common.ok home.camera home.sample.name reason.report.6 talk.interest.anime
    talk.interest.cricket
  `,
  az: `
    ban.reason.3 cap.kind desk.image.avatar desk.role.2 desk.role.3 reason.report.6 talk.interest.anime
    talk.interest.tennis
    either.7.b either.12.a either.35.a either.45.b
  `,
  ga: `
    common.ok search.stop either.3.a
  `,
  is: `
    admin.live.rung.4 desk.appeal.sent msg.sent talk.interest.anime talk.interest.tennis
    either.28.b
  `,
  pl: `
    ban.reason.3 call.price cap.kind common.ok contact.mail desk.figures.min desk.figures.minutes desk.role.2
    desk.role.3 home.online menu.theme.auto msg.presence.offline page.picture.time people.online
    reason.report.6 talk.interest.anime
    either.7.b either.12.a either.23.b either.33.b
  `,
  da: `
    admin.tab.live admin.title account.computer ban.reason.3 call.chat call.send common.ok contact.mail desk.appeal.send
    desk.event.note desk.find.person desk.keys.note desk.order.mine desk.role.2 desk.role.3 desk.software
    home.online home.speakerTest menu.theme.auto msg.like msg.presence.offline msg.send people.like
    people.online people.start people.tab.fans people.tab.likes reason.report.6 search.stop
    talk.interest.anime talk.interest.basketball talk.interest.camping talk.interest.cricket
    talk.interest.tennis talk.interest.volleyball
    either.7.b either.12.a either.24.b either.32.a either.33.b either.35.b either.36.b either.44.a either.45.b
    either.50.a
  `,
};

/** Keys that may stay as in English, by language. */
export const sameAsEnglish: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(lists).map(([language, keys]) => [language, new Set(keys.trim().split(/\s+/))]),
);
