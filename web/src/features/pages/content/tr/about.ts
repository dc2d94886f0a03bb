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
      heading: "Denetlenene kadar bulanık",
      text: "Her görüntü bulanık başlar, ilk denetim geçilince netleşir. Tek tuş sizi çıkarır. Her şikâyeti insanlar okur, uzun her yasağa bir insan karar verir.",
    },
    {
      heading: "Ne tuttuğunu hep bilirsiniz",
      text: "Tanışmak ücretsizdir. Yalnızca filtreler dakika başına fasulye tutar; fiyat konuşmadan önce ve konuşurken fasulye ve para olarak karşınızdadır. Kullanılmamış satın almalar {withdraw} içinde geri gider.",
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
          text: "Karşınızdaki {matchTimeout} içinde bağlanmazsa sıradaki eski yerinize dönersiniz ve bu kimseye bir şeye mal olmaz. Sağ ok sonraki kişiye geçer, Esc görüşmeyi bitirir.",
        },
      ],
    },
    {
      id: "after",
      heading: "Görüşmeden sonra",
      blocks: [
        {
          kind: "paragraph",
          text: "Tanıştığınız herkes {recent} listenizdedir: takip etmek, ikiniz de isterseniz yeniden görüşmek, şikâyet etmek veya engellemek için. Birbirini takip edenler yazışabilir. Bir yabancıya tek mesaj gönderebilirsiniz; ikincisi olup olmayacağına o karar verir.",
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
          text: "Görüşmeler kaydedilmez. Kendi sunucularımızdaki programlar yaklaşık {inspection} arayla bir kareye bakar; sorun bulunmayanlar görüşmeden {remembered} sonra yok olur. Bir bulgu veya şikâyet olduğunda kanıtlar {evidenceKept} mühürlenir ve bir moderatör karar verir. Biri sizi tehdit ediyorsa ne yapacağınızı [güvenlik merkezi](/safety) söyler.",
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
          text: "Yasak ne gördüğümüzü, kimin karar verdiğini ve ne zamana kadar sürdüğünü söyler. Altı ay boyunca itiraz edebilirsiniz, başka biri karar verir ve yanlış bir yasak kaybettirdiği fasulyeleri geri verir. Süresiz yasak için iki kişi gerekir. Paralı bir çıkış yolu yoktur. Sayılar [Şeffaflık](/transparency) sayfasındadır.",
        },
      ],
    },
    {
      id: "beans",
      heading: "Fasulyeler",
      blocks: [
        {
          kind: "paragraph",
          text: "Fasulyeler cinsiyet ve ülke filtreleri içindir; güvenliğiniz için asla fasulye istenmez. Görüşmede ilk {free} ücretsizdir, arama ve yeniden bağlanma sırasında süre durur ve hareket eden her fasulye hesap dökümünüzdedir. Dokunulmamış bir satın alma {withdraw} içinde geri alınabilir. Günlük seri, geri sayımlı teklif ve sizin yerinize işaretlenmiş kutu yoktur.",
        },
      ],
    },
    {
      id: "everyone",
      heading: "Herkes için",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava yalnızca klavyeyle, ekran okuyucuyla, sağdan sola ve daha az hareketle çalışacak şekilde yapılır; neyin denendiğini ve neyin eksik olduğunu [erişilebilirlik bildirimi](/accessibility) söyler. Bu sayfalar İngilizce, Çince, Arapça, Türkçe ve Endonezce vardır.",
        },
      ],
    },
  ],
  copyright: "© {year} {company}",
};
