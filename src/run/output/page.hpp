#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace rondo {

/// One HTML file that needs no network and asks for none: its Content-Security-Policy allows no request. `data` lies in
/// it as JSON in which no character could end a script; the scripts are assets, which read it by themselves.
std::string html_page(std::string const& title, nlohmann::ordered_json const& data,
                      std::initializer_list<std::string_view> styles, std::initializer_list<std::string_view> scripts);

}  // namespace rondo
