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
const DeskPage = lazyWithTimeout(() => import("#features/pages/DeskPage.tsx").then((part) => part.DeskPage));

/** The routes of the specification (section 2). What stands under `RequireRole` is the moderators'. */
export function AppRoutes(): ReactNode {
  const desk = (
    <RequireRole role={roles.moderator} home={<HomeRoute />}>
      <DeskPage />
    </RequireRole>
  );
  return (
    <Routes>
      <Route path="/" element={<HomeRoute />} />
      <Route path="/avatarAudit" element={desk} />
      <Route path="/photoReview" element={desk} />
      <Route path="/reportReview" element={desk} />
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
      <Route path="/chargeReturn" element={<ChargeReturnPage />} />
      <Route path="/404" element={<NotFound />} />
      <Route path="*" element={<Navigate to="/404" replace />} />
    </Routes>
  );
}
