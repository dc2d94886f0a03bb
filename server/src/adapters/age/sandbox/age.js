// Script of the sandbox's age page.
const main = document.querySelector("main");
const problem = document.querySelector(".problem");
const buttons = document.querySelectorAll("[data-outcome]");

function setBusy(busy) {
  for (const button of buttons) button.disabled = busy;
}

async function choose(outcome) {
  problem.textContent = "";
  setBusy(true);
  try {
    const answer = await fetch(main.dataset.action, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ outcome }),
    });
    if (!answer.ok && answer.status !== 410) throw new Error(`status ${answer.status}`);
    // A window that a script opened may close itself. Any other shows that the check is over.
    window.close();
    window.location.reload();
  } catch {
    setBusy(false);
    problem.textContent = problem.dataset.failed;
  }
}

for (const button of buttons) button.addEventListener("click", () => void choose(button.dataset.outcome));
