import type { AboutContent } from "#lib/page-content.ts";

export const page: AboutContent = {
  title: "和陌生人聊天，也可以很舒心。",
  lead: "Fava 让两位成年人实时对话。我们希望双方离开时都觉得不虚此行。",
  features: [
    {
      heading: "一次认识一个新朋友",
      text: "按一下，就能和远方一个真实的人聊天。不合适就换下一位，聊得来就留下。不必先精心打造个人资料。",
    },
    {
      heading: "检查通过前先模糊",
      text: "每个画面一开始都是模糊的，第一次检查通过后才会清晰。一个按键就能脱身。每一条举报都有人阅读，每次较长的封禁都由人决定。",
    },
    {
      heading: "花费始终清清楚楚",
      text: "认识新朋友是免费的。只有筛选按分钟消耗豆子，开始之前和聊天过程中都会以豆子和金额显示价格。未动用的购买可在 {withdraw}内退回。",
    },
  ],
  sections: [
    {
      id: "matching",
      heading: "两个人如何相遇",
      blocks: [
        {
          kind: "paragraph",
          text: "选择你想认识谁、来自哪里，然后按下“开始”。Fava 会寻找愿望也与你相符的人：筛选是一个人的愿望，而不是对另一个人的要求。“均衡”会先在你的国家/地区寻找，再到所在区域，最后到全世界。等待最久的人优先，没有人能花钱插队。",
        },
        {
          kind: "paragraph",
          text: "如果对方 {matchTimeout}内没有接通，你会回到队列中原来的位置，双方都不花费任何豆子。右方向键换下一位，Esc 键结束通话。",
        },
      ],
    },
    {
      id: "after",
      heading: "通话之后",
      blocks: [
        {
          kind: "paragraph",
          text: "{recent}内，你遇到的每个人都在列表中：可以关注，双方都愿意时可以再次见面，也可以举报或屏蔽。互相关注的人可以互发消息。对陌生人你可以发送一条消息，有没有第二条由对方决定。",
        },
      ],
    },
    {
      id: "adults",
      heading: "仅限成年人",
      blocks: [
        {
          kind: "paragraph",
          text: "你必须年满 18 岁才能使用视频聊天。我们会询问完整的出生日期，并自行核对。可能未满年龄的人会立即退出匹配，之后先由人查看，再作其他处理。",
        },
      ],
    },
    {
      id: "checks",
      heading: "检查什么，由谁检查",
      blocks: [
        {
          kind: "paragraph",
          text: "通话不会被录制。大约每 {inspection}，我们自己服务器上的程序会检查一张静态画面；没有发现问题的画面会在通话结束 {remembered}后消失。如果发现问题或有人举报，证据会封存 {evidenceKept}，由审核员作出决定。如果有人威胁你，[安全中心](/safety)会告诉你该怎么做。",
        },
      ],
    },
    {
      id: "address",
      heading: "你的地址只属于你",
      blocks: [
        {
          kind: "paragraph",
          text: "通话双方永远不会知道彼此的网络地址。声音和画面通过中继传输，服务器会删去可能泄露地址的内容。对方只能看到你的国家/地区，不会更具体。",
        },
      ],
    },
    {
      id: "bans",
      heading: "说得清楚的封禁",
      blocks: [
        {
          kind: "paragraph",
          text: "封禁会说明我们看到了什么、由谁决定以及结束时间。你可以在六个月内申诉，由另一个人决定；封禁有误时，因此损失的豆子会退还。永久封禁须由两个人决定。没有花钱解除的途径。相关数字见[透明度](/transparency)页面。",
        },
      ],
    },
    {
      id: "beans",
      heading: "豆子",
      blocks: [
        {
          kind: "paragraph",
          text: "豆子用于性别筛选和国家/地区筛选，安全从不需要用豆子来换。通话的前 {free}免费，搜索和重新连接时停止计时，每一颗豆子的去向都在明细中。未动用的购买可以在 {withdraw}内撤回。没有连续签到，没有倒计时促销，也没有替你勾选的选项。",
        },
      ],
    },
    {
      id: "everyone",
      heading: "为每个人而做",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava 力求仅用键盘、使用屏幕阅读器、从右到左阅读或减少动态效果时都能正常使用；[无障碍声明](/accessibility)说明了测试过什么、还缺什么。这些页面有英语、中文、阿拉伯语、土耳其语和印度尼西亚语版本。",
        },
      ],
    },
  ],
  copyright: "© {year} {company}",
};
