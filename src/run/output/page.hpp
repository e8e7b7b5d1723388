#pragma once

// The frame of all HTML pages that Rondo writes: one file with styles, scripts and data, which needs no network.

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace rondo {

/// A single HTML file that works without a network and cannot use one: its Content-Security-Policy allows no request.
/// `data` is embedded as JSON in which no character can end a script. The scripts are assets, and read the data
/// themselves.
std::string html_page(std::string const& title, nlohmann::ordered_json const& data,
                      std::initializer_list<std::string_view> styles, std::initializer_list<std::string_view> scripts);

}  // namespace rondo
