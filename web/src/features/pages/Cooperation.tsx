import { Mail, MapPin, Phone, X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { isTopLayer } from "#lib/layers.ts";
import { useSettings, type PublicSettings } from "#lib/settings.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useLayer } from "#ui/use-layer.ts";
import styles from "./Cooperation.module.css";

/** The business-cooperation panel; its button, Escape and a click anywhere close it (specification section 2). */
export function Cooperation({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const contact = useSettings()?.contact;
  const heading = useRef<HTMLHeadingElement>(null);
  const layer = useLayer(true);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape" && isTopLayer(layer)) onClose();
    };
    document.addEventListener("keydown", pressed);
    // The click that opened it is still on its way up when this runs.
    const timer = setTimeout(() => document.addEventListener("click", onClose));
    return () => {
      clearTimeout(timer);
      document.removeEventListener("keydown", pressed);
      document.removeEventListener("click", onClose);
    };
  }, [layer, onClose]);
  return (
    <dialog open className={styles.panel} aria-labelledby="cooperation-title">
      <IconButton className={styles.close} label={t("common.close")} icon={<X size={22} />} onClick={onClose} />
      <h2 id="cooperation-title" ref={heading} tabIndex={-1}>
        {t("page.cooperation")}
      </h2>
      {contact ? <ContactFacts contact={contact} /> : <Skeleton height="180px" />}
      <small>{t("page.staffHours")}</small>
    </dialog>
  );
}

function ContactFacts({ contact }: { contact: PublicSettings["contact"] }): ReactNode {
  return (
    <>
      <p dir="auto">{contact.company}</p>
      <ul>
        <li>
          <MapPin size={20} aria-hidden="true" />
          <span dir="auto" className={styles.address}>
            {contact.address}
          </span>
        </li>
        <li>
          <Mail size={20} aria-hidden="true" />
          <span>
            {[contact.email, contact.business_email].map((address) => (
              <a key={address} href={`mailto:${address}`} dir="ltr">
                {address}
              </a>
            ))}
          </span>
        </li>
        <li>
          <Phone size={20} aria-hidden="true" />
          <span>
            <a href={`tel:${contact.phone.replaceAll(/[^+\d]/g, "")}`} dir="ltr">
              {contact.phone}
            </a>
          </span>
        </li>
      </ul>
    </>
  );
}
