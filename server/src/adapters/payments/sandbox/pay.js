// Script of the sandbox's card page. A number that is none of the test cards does not leave the browser.
const main = document.querySelector("main");
const form = document.querySelector("form");
const problem = document.querySelector(".problem");
const choices = [...document.querySelectorAll("input[type=radio]")];
const buttons = document.querySelectorAll("button");

const digitsOf = (text) => text.replaceAll(" ", "");

function setBusy(busy) {
  for (const button of buttons) button.disabled = busy;
}

function showProblem(text, field) {
  problem.textContent = text;
  field?.setAttribute("aria-invalid", "true");
  field?.focus();
}

function clearProblem() {
  problem.textContent = "";
  for (const field of document.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

async function post(path, body) {
  clearProblem();
  setBusy(true);
  try {
    const answer = await fetch(`${main.dataset.action}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.status === 410) {
      window.location.reload();
      return;
    }
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const { redirect_url: redirectUrl } = await answer.json();
    window.location.replace(redirectUrl);
  } catch {
    setBusy(false);
    showProblem(problem.dataset.failed);
  }
}

for (const button of document.querySelectorAll("[data-post]")) {
  button.addEventListener("click", () => void post(button.dataset.post, {}));
}

// The browser brings the page back as it was left, with its buttons off.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});

if (form) {
  const { number, expiry, code } = form.elements;
  for (const choice of choices) {
    choice.addEventListener("change", () => {
      number.value = choice.value;
      clearProblem();
    });
  }
  number.addEventListener("input", () => {
    for (const choice of choices) choice.checked = digitsOf(choice.value) === digitsOf(number.value);
    clearProblem();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearProblem();
    const card = digitsOf(number.value);
    if (!choices.some((choice) => digitsOf(choice.value) === card)) {
      number.value = "";
      showProblem(problem.dataset.invalid, number);
      return;
    }
    const missing = [expiry, code].find((field) => field.value.trim() === "");
    if (missing) showProblem(problem.dataset.incomplete, missing);
    else void post("card", { number: card });
  });
}
