import { type ReactNode, useState } from "react";
import { RichText } from "#lib/rich-text.tsx";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Logo } from "#ui/Logo.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { ContactView } from "./ContactView.tsx";
import { providerLooks } from "./provider-looks.tsx";
import { useSignIn } from "./sign-in.ts";
import styles from "./LoginSheet.module.css";

/** The login popup: three providers of the same weight, and the contact view in place (rule SIGNIN-3). */
export function LoginSheet({ open }: { open: boolean }): ReactNode {
  const [view, setView] = useState<"sign-in" | "contact">("sign-in");
  if (view === "contact") return <ContactView open={open} onBack={() => setView("sign-in")} onClose={close} />;
  return <SignInView open={open} onContact={() => setView("contact")} />;
}

const close = () => closeOverlay("login");

function SignInView({ open, onContact }: { open: boolean; onContact: () => void }): ReactNode {
  const t = useT();
  const signIn = useSignIn();
  return (
    <Sheet
      open={open}
      widthPx={432}
      title={t("login.tagline")}
      eyebrow={
        <span className={styles["logo"]}>
          <Logo />
        </span>
      }
      onClose={close}
      foot={
        <p className={styles["help"]}>
          {t("login.help")}{" "}
          <button type="button" className={styles["link"]} onClick={onContact}>
            {t("login.contact")}
          </button>
        </p>
      }
    >
      <div className={styles["providers"]}>
        {providerLooks.map(({ loginType, name, Icon }) => (
          <button
            key={loginType}
            type="button"
            className={styles["provider"]}
            data-pending={signIn.pending === loginType || undefined}
            onClick={() => signIn.start(loginType)}
          >
            <Icon />
            <span>{t(signIn.pending === loginType ? "login.waiting" : "login.with", { name })}</span>
          </button>
        ))}
      </div>
      <p className={styles["consent"]}>
        <RichText
          id="login.consent"
          tags={{
            terms: (text) => <a href="/userAgreement">{text}</a>,
            privacy: (text) => <a href="/privacyPolicy">{text}</a>,
          }}
        />
      </p>
    </Sheet>
  );
}
