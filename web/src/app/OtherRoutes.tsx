import { type ReactNode, Suspense, useEffect } from "react";
import { roles } from "@fava/wire/people.ts";
import { type PageName, pageText } from "#features/pages/page-texts.ts";
import { goTo } from "#lib/address.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { type Session, useSession } from "#lib/session.ts";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";
import { HomeRoute } from "./HomeRoute.tsx";
import { WaitingFrame } from "./WaitingFrame.tsx";

const LegalPage = lazyWithTimeout(() => import("#features/pages/LegalPage.tsx").then((part) => part.LegalPage));
const AboutPage = lazyWithTimeout(() => import("#features/pages/AboutPage.tsx").then((part) => part.AboutPage));
const NotFound = lazyWithTimeout(() => import("#features/pages/NotFound.tsx").then((part) => part.NotFound));
const ChargeReturnPage = lazyWithTimeout(() =>
  import("#features/shop/ChargeReturnPage.tsx").then((part) => part.ChargeReturnPage),
);
const AdminPage = lazyWithTimeout(() => import("#features/admin/AdminPage.tsx").then((part) => part.AdminPage));
const PageFrame = lazyWithTimeout(() => import("#features/pages/PageFrame.tsx").then((part) => part.PageFrame));
const AppealPage = lazyWithTimeout(() => import("#features/appeal/AppealPage.tsx").then((part) => part.AppealPage));
const TransparencyPage = lazyWithTimeout(() =>
  import("#features/pages/TransparencyPage.tsx").then((part) => part.TransparencyPage),
);
const SafetyPage = lazyWithTimeout(() => import("#features/pages/SafetyPage.tsx").then((part) => part.SafetyPage));
const DeskPage = lazyWithTimeout(() => import("#features/desk/DeskPage.tsx").then((part) => part.DeskPage));

/** The tabs of the desk, each with a path of its own. */
const deskTabs = {
  "/reportReview": "reports",
  "/avatarAudit": "avatars",
  "/photoReview": "photos",
  "/reportReview/appeals": "appeals",
  "/reportReview/texts": "texts",
  "/reportReview/figures": "figures",
} as const;

type DeskPath = keyof typeof deskTabs;

interface OpenPage {
  page: ReactNode;
  part: { preload: () => Promise<void> };
  /** What the page reads besides the catalogs. */
  text?: PageName;
}

/** The pages that everybody may read, each with what shows it; that is loaded before the first rendering. */
const openPages = {
  "/privacyPolicy": { page: <LegalPage document="privacy" />, part: LegalPage, text: "privacy" },
  "/userAgreement": { page: <LegalPage document="terms" />, part: LegalPage, text: "terms" },
  "/communityRules": { page: <LegalPage document="rules" />, part: LegalPage, text: "rules" },
  "/aboutUs": { page: <AboutPage />, part: AboutPage, text: "about" },
  "/safety": { page: <SafetyPage />, part: SafetyPage, text: "safety" },
  "/accessibility": { page: <LegalPage document="accessibility" />, part: LegalPage, text: "accessibility" },
  "/transparency": { page: <TransparencyPage />, part: TransparencyPage },
  "/404": { page: <NotFound />, part: NotFound },
} as const satisfies Record<string, OpenPage>;

/** The routes of the specification but the home screen. What stands under `RequireRole` is the moderators'. */
export function OtherRoutes({ pathname }: { pathname: string }): ReactNode {
  if (pathname in openPages) return openPages[pathname as keyof typeof openPages].page;
  if (pathname in deskTabs) {
    return (
      <RequireRole role={roles.moderator} home={<HomeRoute />} part={DeskPage}>
        <DeskPage tab={deskTabs[pathname as DeskPath]} />
      </RequireRole>
    );
  }
  switch (pathname) {
    case "/admin":
      return (
        <RequireRole role={roles.administrator} home={<HomeRoute />} part={AdminPage}>
          <PageFrame bare>
            <AdminPage />
          </PageFrame>
        </RequireRole>
      );
    case "/appeal":
      return (
        <PageFrame bare noStart>
          <AppealPage />
        </PageFrame>
      );
    case "/chargeReturn":
      return <ChargeReturnPage />;
    default:
      return <Navigate to="/404" />;
  }
}

/** Loads what shows a page that everybody may read, with its text. @throws ChunkLoadError */
export async function preloadPart(pathname: string): Promise<void> {
  if (!(pathname in openPages)) return;
  const { part, text }: OpenPage = openPages[pathname as keyof typeof openPages];
  await Promise.all([part.preload(), text && pageText(text, currentLanguage())]);
}

interface RequireRoleProps {
  role: number;
  home: ReactNode;
  /** What the children are made of: fetched while the server says who this is. */
  part: { preload: () => Promise<void> };
  children: ReactNode;
}

/** Guards a protected route; `home` stands behind the login popup of those who are not signed in. */
export function RequireRole(props: RequireRoleProps): ReactNode {
  const session = useSession();
  const verdict = guardRoute(session, props.role);
  useEffect(() => {
    if (verdict === "sign-in") void openOverlay("login");
    else closeOverlay("login");
  }, [verdict]);
  const { part } = props;
  useEffect(() => {
    // A failure is no news: it is loaded again when it is shown.
    if (verdict === "wait") part.preload().catch(() => undefined);
  }, [verdict, part]);
  switch (verdict) {
    case "sign-in":
      return props.home;
    case "wait":
      return <WaitingFrame />;
    case "not-found":
      return <Navigate to="/404" />;
    case "enter":
      return <Suspense fallback={<WaitingFrame />}>{props.children}</Suspense>;
  }
}

/** Goes elsewhere in place of showing anything. */
export function Navigate({ to }: { to: string }): null {
  useEffect(() => goTo(to, { replace: true }), [to]);
  return null;
}

/** sign-in: the login popup over home. wait: the server has not said yet who this is. */
export type GuardVerdict = "sign-in" | "wait" | "not-found" | "enter";

/**
 * What a protected route does (rule GUARD-1, GUARD-2): without a session the login popup opens; who has too small a role
 * sees the same page as for a path that does not exist, so that nothing is revealed. The role is the server's answer,
 * never the storage's.
 */
export function guardRoute(session: Session, role: number): GuardVerdict {
  switch (session.status) {
    case "anonymous":
    case "kicked":
    case "banned":
      return "sign-in";
    case "signing-in":
    case "restoring":
      return "wait";
    case "signed-in":
      return session.user.role >= role ? "enter" : "not-found";
  }
}
