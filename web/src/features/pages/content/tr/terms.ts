import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Hizmet koşulları",
  effective: "2026-11-21",
  short: [
    "18 yaşında veya daha büyük olmalı ve kendinize ait tek bir hesap kullanmalısınız.",
    "Filtresiz tanışmak ücretsizdir; filtreler dakika başına fasulye tutar ve fiyatı önceden görürsünüz.",
    "Topluluk kurallarını çiğneyen erişimini kaybedebilir; her yasağın nedeni bildirilir ve her yasağa itiraz edilebilir.",
  ],
  sections: [
    {
      id: "agreement",
      heading: "Neyi kabul ediyorsunuz",
      blocks: [
        {
          kind: "paragraph",
          text: "Bu koşullar, sizinle Fava’yı işleten {company} arasındaki sözleşmedir. Fava’yı kullanarak bu koşulları ve topluluk kurallarını kabul edersiniz. Verileri nasıl kullandığımızı gizlilik politikası anlatır.",
        },
        {
          kind: "paragraph",
          text: "Fava’nın bazı bölümleri adım adım açılır. Böyle bir bölüm hakkında burada yazılanlar, o bölümün açıldığı günden itibaren geçerlidir.",
        },
      ],
    },
    {
      id: "eligibility",
      heading: "Fava’yı kimler kullanabilir",
      blocks: [
        {
          kind: "paragraph",
          text: "18 yaşında veya daha büyük olmalısınız. Tam doğum tarihinizi sorar ve UTC takvimine göre kendimiz denetleriz. Hizmet 17+ olarak derecelendirilmiştir; görüntülü sohbet için 18 yaş, yasanız daha yüksek bir yaş istiyorsa o yaş geçerlidir.",
        },
        { kind: "paragraph", text: "Yasaklıyken Fava’yı başka bir hesapla da kullanamazsınız." },
      ],
    },
    {
      id: "account",
      heading: "Hesabınız",
      blocks: [
        {
          kind: "list",
          items: [
            "Google, Facebook veya Apple’daki kendi hesabınızla giriş yaparsınız. Onu iyi koruyun: o hesabı ele geçiren, buradaki hesabınızı da ele geçirir.",
            "Bir kişinin bir hesabı olur ve hesap aynı anda tek bir yerde kullanılır. Başka yerden giriş yapmak önceki oturumu bitirir.",
            "Doğum günü ve cinsiyet bir kez sorulur ve doğru olmalıdır. Sonradan değiştiremezsiniz; bir yanlışlık varsa bize söyleyin.",
            "Hesabınız satılamaz, ödünç verilemez, devredilemez.",
          ],
        },
      ],
    },
    {
      id: "conduct",
      heading: "Nasıl davranırsınız",
      blocks: [
        {
          kind: "paragraph",
          text: "Topluluk kuralları bu koşulların parçasıdır. Kısaca: çıplaklık ve cinsel eylem yok, görüntüde 18 yaşından küçük kimse yok, nefret, tehdit ve taciz yok, izinsiz kayıt yok, dolandırıcılık, satış ve dilenme yok, bot ve sahte video yok.",
        },
        {
          kind: "paragraph",
          text: "Teknik sınırları aşamaz, hizmete veya başkalarının cihazlarına saldıramaz, başkaları hakkında veri toplayamazsınız.",
        },
      ],
    },
    {
      id: "calls",
      heading: "İnsanlarla tanışmak",
      blocks: [
        {
          kind: "paragraph",
          text: "İstekleri birbirine uyan iki kişiyi bağlarız. Uygun birinin çevrim içi olacağına, bunun kim olacağına veya kişinin söylediklerinin doğru olduğuna söz veremeyiz. Ülke ağ adresinden belirlenir ve yanlış olabilir.",
        },
        {
          kind: "paragraph",
          text: "Görüşmeden istediğiniz zaman, neden göstermeden ayrılabilir veya sonraki kişiye geçebilirsiniz. Başkaları da öyle.",
        },
      ],
    },
    {
      id: "content",
      heading: "Gösterdikleriniz ve yazdıklarınız",
      blocks: [
        {
          kind: "paragraph",
          text: "Gösterdiğiniz, söylediğiniz ve yazdığınız size aittir. Bunları tanıştığınız kişiye iletmemize ve gizlilik politikasında anlatıldığı gibi denetlememize izin verirsiniz; bunun ötesine izin vermiş olmazsınız.",
        },
        {
          kind: "paragraph",
          text: "Gösterdikleriniz üzerinde hakkınız olmalıdır ve başkalarının size gösterdiklerini yaymazsınız.",
        },
      ],
    },
    {
      id: "beans",
      heading: "Fasulyeler",
      blocks: [
        {
          kind: "paragraph",
          text: "Fasulyeler, cinsiyet ve ülke filtreleri gibi Fava’nın ücretli bölümlerini kullanma lisansıdır. Para değildir, getirisi yoktur; aşağıdaki iadeler dışında satılamaz, başkasına verilemez, paraya çevrilemez. Fasulyelerin henüz satışa sunulmadığı yerde ücretsiz olan her şey ücretsiz kalır.",
        },
        {
          kind: "list",
          items: [
            "Dakika fiyatı, başlamadan önce fasulye ve para tutarı olarak gösterilir ve eşleşme kurulduğunda sabitlenir.",
            "Yalnızca kendi filtreleriniz için ödersiniz. İki filtre birlikte asla ayrı ayrı toplamlarından pahalı olmaz.",
            "Ücretli filtre için bakiyenizin tam bir dakikayı karşılaması gerekir.",
            "Süre yalnızca ikinizin de görüntüsü varken işler. Ararken, yeniden bağlanırken, karşınızdakinin kamerası kapalıyken ve denetim görüntüyü gizlerken durur. Kendi kameranızı kapatmak süreyi durdurmaz.",
            "Günün ilk 20 filtreli eşleşmesinde görüşmenin ilk 10 saniyesi ücretsizdir.",
            "Kullandığınız saniyeler hesaplanır ve bütün görüşme için bir kez, tam fasulyeye yukarı yuvarlanır.",
            "Günlük harcama sınırı (UTC gününe göre) hemen düşürülebilir, 24 saat sonra yükseltilebilir.",
          ],
        },
      ],
    },
    {
      id: "refunds",
      heading: "İadeler",
      blocks: [
        {
          kind: "list",
          items: [
            "Tek bir fasulyesini bile kullanmadığınız bir satın alma 14 gün içinde geri alınabilir. Önce en eski satın alma kullanılır.",
            "Görüşme denetim nedeniyle kesildiğinde, başarısız olduğunda veya karşınızdakinin sahte olduğu doğrulandığında fasulyeler kendiliğinden geri gelir.",
            "Yanlış bir yasaktan sonra, yasağın size kaybettirdiği fasulyeler geri verilir.",
            "Fasulyeleri harcandıktan sonra bir ödeme geri alınırsa hesabınız borcu gösterir, filtreler kapanır ve sonraki satın alma önce borcu öder.",
          ],
        },
        { kind: "paragraph", text: "Yasanın size tüketici olarak verdiği haklar saklıdır." },
      ],
    },
    {
      id: "enforcement",
      heading: "Kurallar çiğnendiğinde",
      blocks: [
        {
          kind: "paragraph",
          text: "Bir hesabı uyarabilir, duraklatabilir veya yasaklayabiliriz. Yazılım tek başına 15 dakika duraklatabilir; 24 saat içinde doğrulanmış ikinci bir olayda bir insan karar verene kadar, en fazla 24 saat duraklatabilir. Yalnızca şikâyetler yüzünden konan duraklatma, kimse karar vermediyse 24 saat sonra biter.",
        },
        {
          kind: "paragraph",
          text: "Daha uzun her yasağa bir insan, süresiz yasağa iki kişi karar verir. Nedeni ve bitişi size bildirilir. Yasak parayla kaldırılamaz.",
        },
      ],
    },
    {
      id: "appeals",
      heading: "İtirazlar",
      blocks: [
        {
          kind: "paragraph",
          text: "Altı ay boyunca, yasaklıyken de itiraz edebilirsiniz: yasak bildirimindeki “Bu karara itiraz et” düğmesine basın ya da hesap numaranızla {email} adresine yazın. İtiraza, kararı vermemiş biri bakar. 72 saat içinde yanıtlamayı hedefleriz; daha uzun süren itiraz listenin başına ve bir yöneticiye çıkar.",
        },
      ],
    },
    {
      id: "service",
      heading: "Hizmet",
      blocks: [
        {
          kind: "paragraph",
          text: "Fava’yı çalışır tutmak için uğraşırız; ama her zaman çalışacağına, hatasız olacağına veya her bölümün sonsuza dek kalacağına söz veremeyiz. Bölümleri değiştirebilir, ekleyebilir veya kaldırabiliriz. Değiştirdiğimiz fiyatlar sürmekte olan bir görüşmeye asla uygulanmaz.",
        },
      ],
    },
    {
      id: "liability",
      heading: "Sorumluluk, açık sözlerle",
      blocks: [
        {
          kind: "paragraph",
          text: "Kasten veya ağır ihmalle verdiğimiz zarardan ve yasanın dışlamamıza izin vermediği her durumda sorumluyuz. Bunun dışında yalnızca yasanın gerektirdiği ölçüde sorumluyuz.",
        },
        {
          kind: "paragraph",
          text: "Başkalarının gösterdiklerinden, söylediklerinden veya vaatlerinden ve bağlantınız ya da cihazınız gibi denetimimiz dışındaki şeylerden sorumlu değiliz. Burada tanıştığınız birine asla para göndermeyin.",
        },
      ],
    },
    {
      id: "ending",
      heading: "Sözleşmenin sona ermesi",
      blocks: [
        {
          kind: "paragraph",
          text: "İstediğiniz zaman bırakabilir ve hesabınızı “Hesap ve veriler” bölümünden ya da {email} adresine yazarak silebilirsiniz. Dokunulmamış satın almalar iade edilir ve siz onaylamadan önce hangi fasulyelerin kaybolacağını söyleriz. 14 gün içinde yeniden giriş yaparak fikrinizi değiştirebilirsiniz.",
        },
        {
          kind: "paragraph",
          text: "Bu koşulları ağır biçimde veya tekrar tekrar çiğnerseniz erişiminize son verebiliriz; o zaman yasak ve itiraz kuralları geçerlidir.",
        },
      ],
    },
    {
      id: "changes",
      heading: "Değişiklikler",
      blocks: [
        {
          kind: "paragraph",
          text: "Bu koşullar değiştiğinde en üstteki tarih de değişir. Önemli değişiklikleri yürürlüğe girmeden önce burada duyururuz. Kabul etmiyorsanız Fava’yı kullanmayı bırakabilir ve hesabınızı sildirebilirsiniz.",
        },
      ],
    },
    {
      id: "contact",
      heading: "İletişim",
      blocks: [{ kind: "paragraph", text: "{company}, {address}. E-posta: {email}." }],
    },
  ],
};
