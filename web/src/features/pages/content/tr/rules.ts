import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Topluluk kuralları",
  effective: "2026-11-21",
  short: [
    "Nazik olun, giyinik olun, kendiniz olun.",
    "18 yaşında veya daha büyük olun ve kimseyi izinsiz kaydetmeyin.",
    "Biri bir kuralı çiğnerse ayrılın ve bize söyleyin: her şikâyeti insanlar okur.",
  ],
  sections: [
    {
      id: "respect",
      heading: "İnsanlara iyi davranın",
      blocks: [
        {
          kind: "paragraph",
          text: "Her görüntünün ardında, Başlat’a basma cesaretini göstermiş biri var. Herkesten hoşlanmanız gerekmez; dostça bir veda yeter.",
        },
        {
          kind: "list",
          items: [
            "Hakaret yok; köken, ten rengi, inanç, cinsiyet, cinsel yönelim, engellilik veya yaş yüzünden nefret yok.",
            "Taciz yok: hayır hayırdır; Sonraki’ye basmak da hayırdır.",
            "Tehdit yok, şantaj yok; başkasına veya kendine zarar vermeye çağrı yok.",
          ],
        },
      ],
    },
    {
      id: "dressed",
      heading: "Giyinik kalın",
      blocks: [
        {
          kind: "list",
          items: [
            "Çıplaklık, iç çamaşırı gösterisi ve cinsel eylem yok; sözle, oyuncakla veya kameraya tutulan resimle de yok.",
            "Pornografi yok; ne sizin ne de başkasının.",
            "Başkalarından soyunmalarını istemeyin, siz de teklif etmeyin.",
          ],
        },
      ],
    },
    {
      id: "adults",
      heading: "Yalnızca yetişkinler",
      blocks: [
        {
          kind: "paragraph",
          text: "18 yaşında veya daha büyük olmalısınız. 18 yaşından küçük hiç kimse, arka planda veya bir an için bile görüntüde olamaz.",
        },
        {
          kind: "paragraph",
          text: "Çocukları cinselleştiren her şey süresiz yasakla sonuçlanır ve yasanın öngördüğü durumlarda yetkili makamlara iletilir.",
        },
        {
          kind: "paragraph",
          text: "Kendiniz 18 yaşından küçükseniz lütfen ayrılın. Kimse size kızmaz; 18 olduğunuzda yeniden gelebilirsiniz.",
        },
      ],
    },
    {
      id: "recording",
      heading: "Asla kaydetmeyin",
      blocks: [
        {
          kind: "paragraph",
          text: "Karşınızdaki açıkça kabul etmedikçe görüşmeyi kaydetmeyin, fotoğrafını çekmeyin, yayınlamayın, ekran görüntüsü almayın. Yanınızda seyirci de bulundurmayın: karşınızdaki bu görüşmede iki kişi olduğunu düşünür.",
        },
        {
          kind: "paragraph",
          text: "Bir kaydı yayımlamakla tehdit eden şantaj yapıyor demektir. Ödemeyin, kanıtları saklayın ve bize söyleyin: [güvenlik merkezi](/safety) ne yapacağınızı sırasıyla anlatır.",
        },
      ],
    },
    {
      id: "danger",
      heading: "Tehlikeli veya yasa dışı hiçbir şey",
      blocks: [
        {
          kind: "list",
          items: [
            "Kameraya silah tutmak, şiddet, hayvanlara eziyet ve kendine zarar verme yok.",
            "Uyuşturucu teklifi yok, suça yardım yok.",
            "Terörü veya onu yayan örgütleri övmek yok.",
          ],
        },
      ],
    },
    {
      id: "honest",
      heading: "Kendiniz olun",
      blocks: [
        {
          kind: "list",
          items: [
            "Kendi canlı yüzünüzü gösterin. Kayıtlı video, bot, başkasının resmi veya yazılımla değiştirilmiş yüz yok.",
            "Gerçek cinsiyetinizi ve gerçek doğum gününüzü belirtin.",
            "Bir kişi, bir hesap. Yasaklıyken ikinci bir hesapla geri gelmeyin.",
          ],
        },
      ],
    },
    {
      id: "money",
      heading: "Satış yok, dilenme yok",
      blocks: [
        {
          kind: "list",
          items: [
            "Reklam, ücretli gösteri bağlantısı, üye toplama, para veya hediye dilenme yok.",
            "Dolandırıcılık yok: uydurma acil durum, yatırım önerisi veya para karşılığı sevgi yok.",
            "Fasulyeler, hesaplar ve iyilikler ticaret konusu değildir.",
          ],
        },
      ],
    },
    {
      id: "private",
      heading: "Özel olan özel kalsın",
      blocks: [
        {
          kind: "paragraph",
          text: "Kendinizin veya başkasının telefon numarasını, adresini, banka bilgilerini veya belgelerini paylaşmayın; bunları kimseden istemeyin. Böyle şeyleri takma adınıza veya profilinize yazmayın.",
        },
      ],
    },
    {
      id: "leave",
      heading: "Kendinizi koruyun",
      blocks: [
        {
          kind: "list",
          items: [
            "İstediğiniz zaman, neden göstermeden ayrılabilirsiniz: Esc tuşu görüşmeyi bitirir, sağ ok sonraki kişiye geçer.",
            "Hemen çıkmak için X tuşuna, telefonda kalkana basın: görüntü gider, görüşme biter, karşınızdaki engellenir ve şikâyet edilir. {undo} içinde geri alabilirsiniz.",
            "Kameranın ve mikrofonun kendi anahtarları vardır.",
            "Para göndermeyin ve biri ısrar ediyor diye başka bir uygulamaya geçmeyin.",
            "Tehlikedeyseniz önce ülkenizin acil durum numarasını arayın.",
          ],
        },
      ],
    },
    {
      id: "report",
      heading: "Bize söyleyin",
      blocks: [
        {
          kind: "paragraph",
          text: "Görüşme sırasında, bir mesajda, son görüşülenlerde ({recent} boyunca) ya da profilde bayrağa basın; bu mümkün değilse görüşmenin saatiyle {email} adresine yazın. Her şikâyeti insanlar okur, en ağırını önce; sonucunu size söyleriz. Şikâyetiniz {reportsKept}, kanıtlar {evidenceKept} saklanır. Karşıdaki kişiye kimin şikâyet ettiği asla söylenmez.",
        },
        {
          kind: "paragraph",
          text: "Lütfen dürüst olun. Birine zarar vermek için uydurulan şikâyetler de bu kuralları çiğner.",
        },
      ],
    },
    {
      id: "consequences",
      heading: "Bir kural çiğnendiğinde ne olur",
      blocks: [
        {
          kind: "table",
          head: ["Kim karar verir", "Ne olabilir"],
          rows: [
            [
              "Yalnızca yazılım",
              "{pause} duraklatma; {pauseMax} içinde doğrulanmış ikinci olayda bir insan karar verene kadar, en fazla {pauseMax}",
            ],
            ["Yalnızca şikâyetler", "Kimse karar vermediyse {pauseMax} sonra biten bir duraklatma"],
            ["Bir moderatör", "Uyarı veya süreli yasak: kural olarak önce bir gün, sonra bir hafta"],
            ["İki kişi", "Süresiz yasak: kural olarak geçerli üçüncü ihlal kaydında, en ağır durumlarda hemen"],
            ["Yöneticiler", "18 yaşından küçük olabilecek kişilerle ilgili her şey: eşleşme hemen durur"],
          ],
        },
        {
          kind: "paragraph",
          text: "Bir ihlal kaydı {strike} sayılır. Cinsiyetin yanlış olup olmadığına yalnızca insanlar, ikinci bir bakışla karar verir; bu tek başına asla ihlal kaydı sayılmaz. Yasaklı bir hesapla aynı cihazı veya ağı paylaşmak daha yakından bakılmasına yol açar, tek başına asla yasağa yol açmaz.",
        },
      ],
    },
    {
      id: "decision",
      heading: "Size ne söylenir",
      blocks: [
        {
          kind: "paragraph",
          text: "Her yasak ne gördüğümüzü, hangi kuralla ilgili olduğunu, kimin (insan veya yazılım) karar verdiğini ve ne zamana kadar sürdüğünü söyler. Kimse bir yasaktan parayla kurtulamaz, kimse yasaktan korunmayı satın alamaz. Ne sıklıkta yasakladığımız ve ne sıklıkta yanıldığımız [Şeffaflık](/transparency) sayfasındadır.",
        },
      ],
    },
    {
      id: "appeal",
      heading: "Yanıldıysak",
      blocks: [
        {
          kind: "paragraph",
          text: "Altı ay boyunca, yasaklıyken de itiraz edebilirsiniz: yasak bildirimindeki “Bu karara itiraz et” düğmesine basın ya da hesap numaranızla {email} adresine yazın. İlk kararı verenden başka biri karar verir ve {appealAnswer} içinde yanıtlamayı hedefleriz. Yanıldıysak yasak ve ihlal kaydı kaldırılır, size kaybettirdiği fasulyeler geri verilir.",
        },
      ],
    },
  ],
};
