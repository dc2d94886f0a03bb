import type { MailTexts } from "./text-shape.ts";

export const zhCn: MailTexts = {
  confirm: {
    subject: "请确认你在 Fava 的邮箱地址",
    text: [
      "有人在一个 Fava 账号中填写了这个地址。如果是你本人，请在 24 小时内打开此页面并点击按钮：",
      "{link}",
      "如果不是你，请忽略这封邮件。未经确认，Fava 不会再向此地址发送其他邮件。",
    ],
  },
  appealUpheld: { subject: "你的申诉有了答复", text: ["我们已阅读你的申诉。原决定维持不变。"] },
  appealShortened: { subject: "你的申诉有了答复", text: ["我们已阅读你的申诉。你的封禁已缩短，将于 {until} 结束。"] },
  appealLifted: { subject: "你的申诉有了答复", text: ["我们已阅读你的申诉。封禁已解除，你可以重新登录。"] },
  noticeUpheld: {
    subject: "关于你的举报 {no} 的决定",
    text: ["我们同意你的举报 {no}。", "请在此页面查看决定：", "{link}"],
  },
  noticeUnfounded: {
    subject: "关于你的举报 {no} 的决定",
    text: ["我们没有发现你的举报 {no} 所涉内容违规。", "请在此页面查看决定：", "{link}"],
  },
  ban: {
    subject: "你的 Fava 账号已被封禁",
    text: [
      "原因：{reason}。",
      "{by}",
      "{end}",
      "登录后可阅读完整说明，并可在六个月内申诉。申诉免费，由另一位工作人员决定：",
      "{link}",
    ],
  },
  deletion: {
    subject: "你的 Fava 账号将被删除",
    text: [
      "按照你的要求，账号已删除。在 {until} 之前，你可以登录并恢复全部内容，之后我们会将其清除。",
      "{link}",
      "如果不是你本人操作，请立即登录恢复。",
    ],
  },
  deletionLast: {
    subject: "保留 Fava 账号的最后一天",
    text: ["我们将在 {until} 之后清除你的账号。如需保留，请在此之前登录：", "{link}"],
  },
  ageCheck: {
    subject: "Fava 请你完成年龄验证",
    text: ["管理员请你完成年龄验证。通过之前，你无法在 Fava 上与人见面。请在 {until} 之前完成：", "{link}"],
  },
  receipt: { subject: "你的 Fava 收据", text: ["你于 {at} 以 {money} 购买了 {beans} 颗豆子。", "订单号：{order}"] },
  signIn: {
    subject: "你的 Fava 账号有新的登录",
    text: [
      "你的账号于 {at} 在一台新设备上登录：{device}。",
      "如果不是你，请在 Fava 打开“账号与数据”并退出所有设备，然后修改你用来登录的服务的密码。",
      "{link}",
    ],
  },
  missedCall: { subject: "你在 Fava 上错过了一个来电", text: ["一位好友于 {at} 呼叫过你。", "{link}"] },
  test: { subject: "Fava 测试邮件", text: ["这是一封测试邮件，发送于 {at}。收到它说明本站可以发送邮件。"] },
  wrote: "管理员写道：",
  byPerson: "此决定由人工作出。",
  bySoftware: "此决定由软件作出，之后会有人复查。",
  ends: "封禁将于 {until} 结束。",
  noEnd: "封禁没有结束日期。",
  unknown: "未知设备",
  why: "你收到这封邮件，是因为你在 Fava 账号中填写了此地址。",
  whyOnce: "你收到这封邮件，是因为你为此事提供了这个地址。Fava 不会将其用于其他用途。",
  stop: "停止接收此类邮件：",
  page: {
    confirm: "确认你的邮箱地址",
    confirmText: "点击按钮，即可在收到此链接的地址接收 Fava 的邮件。",
    confirmGo: "确认",
    confirmed: "地址已确认",
    confirmedText: "你可以在“账号与数据”中选择要接收的邮件。",
    expired: "此链接已失效",
    expiredText: "请在“账号与数据”中重新填写地址，以获取新的链接。",
    stop: "停止接收这些邮件？",
    stopText: "你将不再收到此类邮件：{kind}。",
    stopGo: "停止",
    stopped: "已完成",
    stoppedText: "Fava 不会再向你发送此类邮件：{kind}。",
    open: "打开 Fava",
  },
  kinds: {
    receipt: "收据",
    sign_in: "新的登录",
    missed_call: "未接来电",
  },
};
