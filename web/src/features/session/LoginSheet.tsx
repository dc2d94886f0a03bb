import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { RichText } from "#lib/rich-text.tsx";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { DocumentLink } from "#ui/DocumentLink.tsx";
import { Logo } from "#ui/Logo.tsx";
import { ProviderIcon } from "#ui/ProviderIcon.tsx";
import { Sheet, type SheetProps } from "#ui/Sheet.tsx";
import { useContactView } from "./ContactSheet.tsx";
import { offeredProviders } from "./SocialButtons.tsx";
import { googleButton } from "./google-button.ts";
import { useSignIn } from "./sign-in.ts";
import styles from "./LoginSheet.module.css";

/** The login dialog: the offered providers with the same weight, and the contact view. */
export function LoginSheet(): ReactNode {
  const [view, setView] = useState<"sign-in" | "contact">("sign-in");
  const contactLink = useRef<HTMLButtonElement>(null);
  const signIn = useSignInView(contactLink, () => setView("contact"));
  const contact = useContactView({ onBack: () => setView("sign-in"), onClose: close });
  const previous = useRef(view);
  useEffect(() => {
    if (previous.current === "contact" && view === "sign-in") contactLink.current?.focus();
    previous.current = view;
  }, [view]);
  return <Sheet {...(view === "contact" ? contact : signIn)} />;
}

const close = () => closeOverlay("login");

function useSignInView(contactLink: RefObject<HTMLButtonElement | null>, onContact: () => void): SheetProps {
  const t = useT();
  const signIn = useSignIn();
  const { draw } = useStore(googleButton);
  return {
    widthPx: 432,
    title: t("login.tagline"),
    eyebrow: (
      <span className={styles.logo}>
        <Logo />
      </span>
    ),
    onClose: close,
    foot: (
      <p className={styles.help}>
        {t("login.help")}{" "}
        <button ref={contactLink} type="button" className={styles.link} onClick={onContact}>
          {t("login.contact")}
        </button>
      </p>
    ),
    children: (
      <>
        <div className={styles.providers}>
          {offeredProviders().map(({ loginType, provider, name }) =>
            provider === "google" && draw ? (
              <GoogleButton key={loginType} draw={draw} label={t("login.with", { name })} />
            ) : (
              <button
                key={loginType}
                data-login-type={loginType}
                type="button"
                className={styles.provider}
                data-pending={signIn.pending === loginType || undefined}
                onClick={() => signIn.start(loginType)}
              >
                <ProviderIcon provider={provider} size={22} />
                <span>{t(signIn.pending === loginType ? "login.waiting" : "login.with", { name })}</span>
              </button>
            ),
          )}
        </div>
        <p className={styles.consent}>
          <RichText
            id="login.consent"
            tags={{
              terms: (text) => <DocumentLink href="/userAgreement">{text}</DocumentLink>,
              privacy: (text) => <DocumentLink href="/privacyPolicy">{text}</DocumentLink>,
            }}
          />
        </p>
      </>
    ),
  };
}

/** Google's own button instead of ours: a press on it opens Google's window. */
function GoogleButton({ draw, label }: { draw: (place: HTMLElement) => void; label: string }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = place.current;
    if (!box) return undefined;
    draw(box);
    // Our button, which had the focus, is gone.
    box.focus();
    return () => box.replaceChildren();
  }, [draw]);
  return <div ref={place} role="group" aria-label={label} tabIndex={-1} className={styles.google} />;
}
