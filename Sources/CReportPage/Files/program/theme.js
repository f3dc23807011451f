"use strict";
// The parts that every page has: light and dark theme, buttons that copy commands, and printing.
(() => {
  // Light and dark

  const themes = [...document.querySelectorAll("[data-set-theme]")];
  function setTheme(theme) {
    if (theme === "system") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = theme;
    for (const button of themes) button.setAttribute("aria-pressed", String(button.dataset.setTheme === theme));
  }
  let theme = "system";
  try { theme = localStorage.getItem("sluice-theme") ?? "system"; } catch { /* If the browser forbids storage, use the theme of the system. */ }
  setTheme(["light", "dark"].includes(theme) ? theme : "system");
  for (const button of themes) {
    button.addEventListener("click", () => {
      setTheme(button.dataset.setTheme);
      try { localStorage.setItem("sluice-theme", button.dataset.setTheme); } catch { /* Without storage, the theme is kept until the page is closed. */ }
    });
  }

  // Commands to copy

  for (const button of document.querySelectorAll("[data-copy]")) {
    const [command, status] = [button.previousElementSibling, button.nextElementSibling];
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(command.textContent);
        status.textContent = "It is in the clipboard.";
      } catch {
        getSelection().selectAllChildren(command);
        status.textContent = "This browser does not let pages copy; it is selected.";
      }
    });
  }

  // Open all folds for printing, and close them again afterwards.

  let unfoldedForPaper = [];
  window.addEventListener("beforeprint", () => {
    unfoldedForPaper = [...document.querySelectorAll("details:not([open])")];
    for (const details of unfoldedForPaper) details.open = true;
  });
  window.addEventListener("afterprint", () => { for (const details of unfoldedForPaper) details.open = false; });
})();
