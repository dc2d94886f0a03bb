import { type ReactNode, Suspense, useEffect } from "react";
import { askForProfile, startFlow } from "#app/start-flow.ts";
import { Home } from "#features/home/Home.tsx";
import { currentMatchFilters, reloadMatchFilters, useMatchFilters } from "#features/match/match-filters.ts";
import { saveAndReport } from "#features/match/report-filters.ts";
import { HomePeoplePlace } from "#features/people/HomePeoplePlace.tsx";
import { SocialButtons } from "#features/session/SocialButtons.tsx";
import { useUser } from "#lib/session.ts";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";
import { PartBoundary } from "#ui/PartBoundary.tsx";

const CameraPreview = lazyWithTimeout(() =>
  import("#features/device/CameraPreview.tsx").then((part) => part.CameraPreview),
);

const WaitEstimate = lazyWithTimeout(() =>
  import("#features/match/WaitEstimate.tsx").then((part) => part.WaitEstimate),
);

/** Shown only once the call is loaded, which answers its presses. */
const HomePeople = lazyWithTimeout(async () => {
  const [part] = await Promise.all([import("#features/people/HomePeople.tsx"), import("#app/CallLayer.tsx")]);
  return part.HomePeople;
});

/** The home screen with the parts of other features. */
export function HomeRoute(): ReactNode {
  const user = useUser();
  const userId = user?.user_id ?? null;
  useEffect(() => {
    // Another user may have signed in, and a sign-out has cleared the stored filters.
    reloadMatchFilters();
    // Asks for missing profile data once after each sign-in.
    if (userId !== null) void askForProfile();
  }, [userId]);
  return (
    <Home
      onStart={() => void startFlow()}
      onSex={(sex) => saveAndReport({ ...currentMatchFilters(), sex })}
      socialButtons={<SocialButtons />}
      estimate={<HomeWaitEstimate />}
      people={<People />}
      preview={<HomePreview />}
    />
  );
}

function People(): ReactNode {
  return (
    <PartBoundary>
      <Suspense fallback={<HomePeoplePlace />}>
        <HomePeople />
      </Suspense>
    </PartBoundary>
  );
}

function HomePreview(): ReactNode {
  const place = <div data-place="" aria-hidden="true" />;
  return (
    <PartBoundary instead={place}>
      <Suspense fallback={place}>
        <CameraPreview />
      </Suspense>
    </PartBoundary>
  );
}

function HomeWaitEstimate(): ReactNode {
  const filters = useMatchFilters();
  return (
    <PartBoundary>
      <Suspense fallback={<p>{"\u00a0"}</p>}>
        <WaitEstimate filters={filters} />
      </Suspense>
    </PartBoundary>
  );
}
