import type { AboutContent } from "#lib/page-content.ts";

export const page: AboutContent = {
  title: "Yabancılarla sohbet, olması gerektiği gibi.",
  lead: "Fava iki yetişkini canlı bir sohbette buluşturur. İkisi de iyi ki gelmişim desin diye yapıyoruz.",
  features: [
    {
      heading: "Her seferinde yeni bir kişi",
      text: "Bir dokunuşla dünyanın başka bir yerindeki gerçek biriyle konuşun. Size göre değilse geçin, iyiyse kalın. Önce profil parlatmak gerekmez.",
    },
    {
      heading: "İnsanlar karar verir, yazılım yalnızca yardım eder",
      text: "Yazılım bir sorun fark edip bir hesabı kısa süreliğine duraklatabilir. Her yasak, nedeni belirtilen ve itiraz edilebilen bir insan kararıdır.",
    },
    {
      heading: "Ne tuttuğunu hep bilirsiniz",
      text: "Tanışmak ücretsizdir. Yalnızca filtreler dakika başına fasulye tutar; fiyat başlamadan önce fasulye ve para olarak karşınızdadır.",
    },
  ],
  sections: [
    {
      id: "matching",
      heading: "İki kişi nasıl buluşur",
      blocks: [
        {
          kind: "paragraph",
          text: "Kiminle ve nereden biriyle tanışmak istediğinizi söyler, başlarsınız. Fava, istekleri size de uyan birini arar: filtre bir kişinin isteğidir, başkası üzerinde bir hak değildir. “Dengeli” önce kendi ülkenize, sonra bölgesine, sonra her yere bakar. En uzun bekleyen önce gelir; sırada öne geçmek satın alınamaz.",
        },
        {
          kind: "paragraph",
          text: "Karşınızdaki on saniye içinde bağlanamazsa sıradaki eski yerinize dönersiniz ve bu kimseye bir şeye mal olmaz. Sağ ok sonraki kişiye geçer, Esc görüşmeyi bitirir.",
        },
      ],
    },
    {
      id: "adults",
      heading: "Yalnızca yetişkinler",
      blocks: [
        {
          kind: "paragraph",
          text: "Görüntülü sohbet için 18 yaşında olmalısınız. Tam doğum tarihinizi sorar ve kendi tarafımızda denetleriz. Daha küçük olabilecek biri hemen eşleşmeden çıkarılır ve başka bir şey olmadan önce bir insan bakar.",
        },
      ],
    },
    {
      id: "checks",
      heading: "Neyi kim denetler",
      blocks: [
        {
          kind: "paragraph",
          text: "Görüşmeler kaydedilmez. Yazılım, tek kare görüntülerde kurallarımızın yasakladığı bir şey olup olmadığına bakabilir; sorun bulunmayan görüntüler saklanmaz. Bir bulgu veya şikâyet olduğunda kanıtlar 30 gün mühürlenir ve kararı bir moderatör verir.",
        },
      ],
    },
    {
      id: "address",
      heading: "Adresiniz sizde kalır",
      blocks: [
        {
          kind: "paragraph",
          text: "Görüşmenin iki ucu birbirinin ağ adresini asla öğrenmez. Ses ve görüntü bir aktarıcıdan geçer; sunucu, adresi ele verecek her şeyi çıkarır. Karşınızdaki ülkenizi görür, daha yakınını görmez.",
        },
      ],
    },
    {
      id: "bans",
      heading: "Kendini açıklayan yasaklar",
      blocks: [
        {
          kind: "paragraph",
          text: "Her yasak nedenini ve ne zamana kadar sürdüğünü söyler. Altı ay boyunca itiraz edebilirsiniz, başka biri karar verir; yanlış yasak kaybettirdiği fasulyeleri geri verir. Süresiz yasak için iki kişi gerekir. Paralı bir çıkış yolu yoktur.",
        },
      ],
    },
    {
      id: "beans",
      heading: "Fasulyeler",
      blocks: [
        {
          kind: "paragraph",
          text: "Fasulyeler cinsiyet ve ülke filtreleri içindir; güvenliğiniz için asla fasulye istenmez. Görüşmenin ilk saniyeleri ücretsizdir, arama ve yeniden bağlanma sırasında süre durur ve hareket eden her fasulye kayıtlıdır. Dokunulmamış bir satın alma 14 gün içinde geri alınabilir. Günlük seri, geri sayımlı teklif ve sizin yerinize işaretlenmiş kutu yoktur.",
        },
      ],
    },
    {
      id: "everyone",
      heading: "Herkes için",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava yalnızca klavyeyle, ekran okuyucuyla, sağdan sola ve daha az hareketle çalışacak şekilde yapılır. İngilizce, Çince, Arapça, Türkçe ve Endonezce konuşur.",
        },
      ],
    },
  ],
  copyright: "© {year} {company}",
};
