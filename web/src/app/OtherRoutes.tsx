import type { ReactNode } from "react";
import { roles } from "@fava/wire/people.ts";
import { HomeRoute } from "#app/HomeRoute.tsx";
import { Navigate } from "#app/Navigate.tsx";
import { RequireRole } from "#app/RequireRole.tsx";
import { type PageName, pageText } from "#features/pages/page-texts.ts";
import { currentLanguage } from "#lib/i18n.ts";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";

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

/** The routes of the specification (section 2) but the home screen. What stands under `RequireRole` is the moderators'. */
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
