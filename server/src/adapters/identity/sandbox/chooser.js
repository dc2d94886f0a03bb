// Script of the sandbox's account page: asks for a token and hands it to the window that opened the page, and only to
// a window of our own origin.
const main = document.querySelector("main");
const form = document.querySelector("form");
const problem = document.querySelector(".problem");
const buttons = document.querySelectorAll("button");
const closeByItselfMs = 5_000;

function setBusy(busy) {
  for (const button of buttons) button.disabled = busy;
}

async function choose(account) {
  const { provider, loginType, nonce } = main.dataset;
  const { noOpener, failed } = problem.dataset;
  problem.textContent = "";
  if (!window.opener) {
    problem.textContent = noOpener;
    return;
  }
  setBusy(true);
  try {
    const answer = await fetch(`/sandbox/identity/${provider}/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...account, nonce }),
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const grant = await answer.json();
    const message = { type: "fava-sandbox-identity", login_type: Number(loginType), ...grant };
    window.opener.postMessage(message, window.location.origin);
    // The page closes this window when it has heard: a window that is gone first can look like one closed unanswered.
    setTimeout(() => window.close(), closeByItselfMs);
  } catch {
    problem.textContent = failed;
    setBusy(false);
  }
}

for (const button of document.querySelectorAll("[data-person]")) {
  button.addEventListener("click", () => void choose({ person: button.dataset.person }));
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = new FormData(form).get("name").trim();
  if (name !== "") void choose({ name });
});
