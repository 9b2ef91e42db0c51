/* Passkeys: a button with data-passkey="make" or "prove" fills the form's field in and sends it. */
"use strict";

(() => {
  const OPTIONS = "/sign-in/passkey/";

  async function optionsFor(purpose, form) {
    const answer = await fetch(OPTIONS, {
      method: "POST",
      headers: { "X-Requested-With": "passkey", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value },
      body: new URLSearchParams({ for: purpose }),
    });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  }

  async function answered(purpose, form) {
    const told = await optionsFor(purpose, form);
    if (purpose === "make") {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(told);
      return navigator.credentials.create({ publicKey });
    }
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(told);
    return navigator.credentials.get({ publicKey });
  }

  async function use(button) {
    const form = button.form;
    const failed = form.querySelector("[data-passkey-failed]");
    failed.hidden = true;
    button.disabled = true;
    try {
      const credential = await answered(button.dataset.passkey, form);
      form.elements.passkey.value = JSON.stringify(credential.toJSON());
      form.requestSubmit();
    } catch {
      failed.hidden = false;
    } finally {
      button.disabled = false;
    }
  }

  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("[data-passkey]");
    if (button) use(button);
    if (target instanceof Element && target.closest("[data-prints]")) window.print();
  });
})();
