import { KeyRound } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { RichText } from "#lib/rich-text.tsx";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { offersPasskeys } from "#lib/passkeys.ts";
import { Button } from "#ui/Button.tsx";
import { DocumentLink } from "#ui/DocumentLink.tsx";
import { Logo } from "#ui/Logo.tsx";
import { ProviderIcon } from "#ui/ProviderIcon.tsx";
import { Sheet, type SheetProps } from "#ui/Sheet.tsx";
import { useContactView } from "./ContactSheet.tsx";
import { offeredProviders } from "./SocialButtons.tsx";
import { RecoveryForm } from "./RecoveryForm.tsx";
import { googleButton } from "./google-button.ts";
import { usePasskeySignIn } from "./passkey-sign-in.ts";
import { useSignIn } from "./sign-in.ts";
import styles from "./LoginSheet.module.css";

type View = "sign-in" | "recovery" | "contact";
type Link = RefObject<HTMLButtonElement | null>;

/** The login dialog: the offered providers with the same weight, passkeys, recovery codes and the contact view. */
export function LoginSheet(): ReactNode {
  const [view, setView] = useState<View>("sign-in");
  const recoveryLink = useRef<HTMLButtonElement>(null);
  const contactLink = useRef<HTMLButtonElement>(null);
  const onBack = () => setView("sign-in");
  const views = {
    "sign-in": useSignInView(recoveryLink, contactLink, setView),
    recovery: useRecoveryView(onBack),
    contact: useContactView({ onBack, onClose: close }),
  };
  const previous = useRef(view);
  useEffect(() => {
    const left = previous.current;
    previous.current = view;
    if (view === "sign-in" && left !== view) (left === "recovery" ? recoveryLink : contactLink).current?.focus();
  }, [view]);
  return <Sheet {...views[view]} />;
}

const close = () => closeOverlay("login");

function useRecoveryView(onBack: () => void): SheetProps {
  const t = useT();
  return {
    widthPx: 432,
    title: t("passkeys.codesUse"),
    lead: t("passkeys.codesLead"),
    onBack,
    onClose: close,
    children: <RecoveryForm />,
  };
}

function useSignInView(recoveryLink: Link, contactLink: Link, onView: (view: View) => void): SheetProps {
  const t = useT();
  const passkey = usePasskeySignIn();
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
        <button ref={recoveryLink} type="button" className={styles.link} onClick={() => onView("recovery")}>
          {t("passkeys.codesUse")}
        </button>
        <button ref={contactLink} type="button" className={styles.link} onClick={() => onView("contact")}>
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
        {offersPasskeys() && (
          <Button
            kind="plain"
            size="small"
            block
            loading={passkey.isPending}
            icon={<KeyRound size={18} aria-hidden="true" />}
            onClick={passkey.start}
          >
            {t("passkeys.signIn")}
          </Button>
        )}
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
