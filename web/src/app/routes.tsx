import type { ReactNode } from "react";
import { Navigate, Route, Routes } from "react-router";
import { roles } from "@fava/wire/people.ts";
import { HomeRoute } from "#app/HomeRoute.tsx";
import { RequireRole } from "#app/RequireRole.tsx";
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
const DeskPage = lazyWithTimeout(() => import("#features/desk/DeskPage.tsx").then((part) => part.DeskPage));

/** The tabs of the desk, each with a path of its own. */
const deskTabs = [
  ["/reportReview", "reports"],
  ["/avatarAudit", "avatars"],
  ["/photoReview", "photos"],
  ["/reportReview/appeals", "appeals"],
  ["/reportReview/figures", "figures"],
] as const;

/** The routes of the specification (section 2). What stands under `RequireRole` is the moderators'. */
export function AppRoutes(): ReactNode {
  return (
    <Routes>
      <Route path="/" element={<HomeRoute />} />
      {deskTabs.map(([path, tab]) => (
        <Route
          key={path}
          path={path}
          element={
            <RequireRole role={roles.moderator} home={<HomeRoute />}>
              <DeskPage tab={tab} />
            </RequireRole>
          }
        />
      ))}
      <Route
        path="/admin"
        element={
          <RequireRole role={roles.administrator} home={<HomeRoute />}>
            <PageFrame bare>
              <AdminPage />
            </PageFrame>
          </RequireRole>
        }
      />
      <Route path="/privacyPolicy" element={<LegalPage document="privacy" />} />
      <Route path="/userAgreement" element={<LegalPage document="terms" />} />
      <Route path="/communityRules" element={<LegalPage document="rules" />} />
      <Route path="/aboutUs" element={<AboutPage />} />
      <Route path="/transparency" element={<TransparencyPage />} />
      <Route
        path="/appeal"
        element={
          <PageFrame bare noStart>
            <AppealPage />
          </PageFrame>
        }
      />
      <Route path="/chargeReturn" element={<ChargeReturnPage />} />
      <Route path="/404" element={<NotFound />} />
      <Route path="*" element={<Navigate to="/404" replace />} />
    </Routes>
  );
}
