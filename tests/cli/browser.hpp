#pragma once

// A page in headless Chromium, where there is one: what it draws, and whether it complains.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {

/// The browser's name, or an empty one.
inline std::string browser() {
  for (char const* name : {"chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"}) {
    if (std::system(("command -v " + std::string(name) + " >/dev/null 2>&1").c_str()) == 0) return name;
  }
  return "";
}

#define RONDO_NEEDS_BROWSER() \
  if (browser().empty()) GTEST_SKIP() << "no Chromium here: apt-get install chromium"

struct Looked {
  nlohmann::json result;                ///< what the script left in `result`
  std::vector<std::string> complaints;  ///< errors, warnings, refused and made requests
};

/// Text of an element, as the browser prints it.
inline std::string unescaped(std::string text) {
  for (auto const& [entity, sign] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&nbsp;", "\u00a0"}, {"&amp;", "&"}}) {
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at) {
      text.replace(at, std::strlen(entity), sign);
    }
  }
  return text;
}

inline std::string with_inserted(std::string text, std::string const& before, std::string const& what) {
  std::size_t const at = text.rfind(before);
  return at == std::string::npos ? text : text.insert(at, what);
}

/// Opens a page without a network and runs `script` in it once it is drawn.
inline Looked look(std::string html, std::string const& script) {
  Folder const folder;
  html = with_inserted(std::move(html), "<title>", R"(<script>
    const complaints = [];
    addEventListener("error", (e) => complaints.push("error: " + e.message));
    addEventListener("unhandledrejection", (e) => complaints.push("rejection: " + e.reason));
    document.addEventListener("securitypolicyviolation", (e) => complaints.push("refused: " + e.blockedURI));
    for (const level of ["error", "warn"]) console[level] = (...what) => complaints.push(level + ": " + what.join(" "));
    </script>)");
  html = with_inserted(std::move(html), "</body>", R"(<script>(async () => {
    const result = {};
    try { )" + script + R"( } catch (e) { complaints.push("test: " + e.stack); }
    for (const entry of performance.getEntriesByType("resource")) complaints.push("requested: " + entry.name);
    const pre = document.createElement("pre");
    pre.id = "seen";
    pre.textContent = JSON.stringify({ result, complaints });
    document.body.append(pre);
  })();</script>)");
  std::string const page = folder.write("page.html", html), out = (folder.path() / "dom").string();
  std::string const line =
      browser() + " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run" +
      " --user-data-dir=" + (folder.path() / "user").string() +
      " --host-resolver-rules='MAP * ~NOTFOUND' --window-size=1200,900 --virtual-time-budget=20000" +
      " --dump-dom file://" + page + " >" + out + " 2>" + out + ".err </dev/null";
  int const status = std::system(line.c_str());
  std::string const dom = content_of(out), open = "<pre id=\"seen\">";
  std::size_t const begin = dom.find(open), end = dom.find("</pre>", begin);
  if (status != 0 || begin == std::string::npos) {
    ADD_FAILURE() << "the browser has drawn no page: " << content_of(out + ".err");
    return {};
  }
  auto const seen = nlohmann::json::parse(unescaped(dom.substr(begin + open.size(), end - begin - open.size())));
  return {seen["result"], seen["complaints"]};
}

/// What is for paper alone holds on the screen, and all is 320 pixels wide.
inline constexpr char const* narrow_paper = R"(
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule.media?.mediaText === "print");
  if (!rules.length) throw new Error("no rules for paper");
  for (const rule of rules) rule.media.mediaText = "all";
  document.body.style.width = "320px";
  result.shapes = [...document.querySelectorAll("canvas")].map((canvas) => {
    const { width, height } = canvas.getBoundingClientRect();
    return { narrow: width <= 320, squashed: (width / height) / (canvas.width / canvas.height) };
  });
)";

/// What `narrow_paper` sees: canvases that are smaller than drawn, as wide for their height as before.
inline void expect_shapes_kept(Looked const& looked, std::size_t canvases) {
  EXPECT_TRUE(looked.complaints.empty()) << looked.complaints.front();
  ASSERT_EQ(looked.result["shapes"].size(), canvases);
  for (nlohmann::json const& shape : looked.result["shapes"]) {
    EXPECT_EQ(shape["narrow"], true);
    EXPECT_NEAR(shape["squashed"].get<double>(), 1, 0.02) << "circles are circles";
  }
}

}  // namespace rondo::test
