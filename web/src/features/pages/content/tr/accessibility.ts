import type { PageContent } from "#lib/page-content.ts";

export const page: PageContent = {
  title: "Erişilebilirlik bildirimi",
  effective: "2026-11-21",
  short: [
    "Fava her ekranda ve her iletişim kutusunda WCAG 2.2, AA düzeyini hedefler.",
    "Programlarca ve yapanlarca denendi; henüz engelli kişilerce denenmedi.",
    "Bir şey sizi dışarıda bırakıyorsa bize söyleyin: bu bir kusurdur ve öyle ele alırız.",
  ],
  sections: [
    {
      id: "aim",
      heading: "Neyi kapsar",
      blocks: [
        {
          kind: "paragraph",
          text: "{company} tarafından yapılan bu bildirim, bütün sayfalarıyla Fava web uygulaması içindir. Ölçümüz WCAG 2.2, AA düzeyidir. Kendi değerlendirmemize göre uygulama, aşağıda sayılanlar dışında bunu karşılar.",
        },
      ],
    },
    {
      id: "works",
      heading: "Neler çalışır",
      blocks: [
        {
          kind: "list",
          items: [
            "Her şey klavyeyle yapılabilir. Görüşmede Esc bitirir, sağ ok ilerler, X sizi çıkarır; masaüstünde tuşlar düğmelerin yanında yazar.",
            "Ekran okuyuculara değişenler bildirilir: arama sürüyor, kiminle karşılaştınız, biri ayrıldı, bir görüntü denetleniyor, fasulye azalıyor ve her yazışma satırı.",
            "Açık ve koyu renkler, güçlü karşıtlık, zorunlu renkler, daha az hareket ve büyük yazı sisteminizi ve tarayıcınızı izler. Sağdan sola yazılan dillerde yerleşim döner.",
            "Konuşmadan da sohbet edebilirsiniz: görüntünün yanındaki yazışma, kamera ve mikrofon kapalıyken de bütün görüşme boyunca çalışır.",
          ],
        },
      ],
    },
    {
      id: "tested",
      heading: "Ne, nasıl denendi",
      blocks: [
        {
          kind: "list",
          items: [
            "Her sürümden önce bir program (axe), ekranlarda ve iletişim kutularında masaüstü ve telefon boyutlarında, açık ve koyu renklerde kusur arar. Kusur sürümü durdurur.",
            "Gerçek bir tarayıcıdaki (Chromium) testler girişten, görüşmelerden, mesajlardan, mağazadan ve bu sayfalardan geçer; tuşları ve adları yardımcı teknolojiler gibi kullanır.",
            "Henüz denenmeyenler: her gün kullanan kişilerle ekran okuyucular ve sesle denetim, Safari ve Firefox, gerçek telefonlar.",
          ],
        },
      ],
    },
    {
      id: "limits",
      heading: "Bilinen sınırlar",
      blocks: [
        {
          kind: "list",
          items: [
            "Görüşmelerde altyazı ve işaret dili yoktur. İki kişinin konuştukları bizden geçmez ve dinlemeyiz.",
            "Başkalarının gösterdiği veya yüklediği görüntülerin açıklaması yoktur.",
            "Kendi görüntünüzün denetimi ışık ve kapanmamış kamera ister; göremeyen biri bunu değerlendirmekte zorlanabilir. Kamera kapalıyken görüşme ses ve yazışmayla sürer.",
            "İki kişi birbirini bekler: buluşmak için verilen süre ({matchTimeout}) uzatılamaz.",
            "Google, Facebook, Apple ve ödeme sağlayıcılarının sayfaları bize ait değildir.",
            "Bunun gibi uzun metinler beş dilde vardır ve çeviriler ana dili konuşanlarca gözden geçirilmemiştir.",
          ],
        },
      ],
    },
    {
      id: "complain",
      heading: "Bize söyleyin",
      blocks: [
        {
          kind: "paragraph",
          text: "Ne yapmak istediğinizi, ne olduğunu, hangi tarayıcıyı ve yardımcı araçları kullandığınızı {email} adresine yazın. Bir insan yanıtlar. Bu sayfalardan bir şeye başka biçimde ihtiyacınız varsa göndeririz.",
        },
        {
          kind: "paragraph",
          text: "Yanıtımız yardımcı olmazsa ülkenizin erişilebilirlikle ilgili kurumuna şikâyette bulunabilirsiniz.",
        },
      ],
    },
    {
      id: "made",
      heading: "Bu bildirim nasıl hazırlandı",
      blocks: [
        {
          kind: "paragraph",
          text: "Bu bildirimi yukarıdaki günde kendi testlerimizden yazdık; her büyük değişiklikte yeniden gözden geçiririz.",
        },
      ],
    },
  ],
};
