// Parses every line of a file with simdjson's DOM parser and does nothing with it: the rate that the validator is compared with.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <simdjson.h>
#include <string_view>
#include <vector>

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: simdjson FILE.ndjson ROUNDS\n");
        return 64;
    }
    simdjson::padded_string text;
    if (simdjson::padded_string::load(argv[1]).get(text) != simdjson::SUCCESS) {
        std::fprintf(stderr, "%s cannot be read\n", argv[1]);
        return 2;
    }
    std::vector<std::string_view> lines;
    const char *position = text.data(), *end = position + text.size();
    while (position < end) {
        const char *feed = static_cast<const char *>(std::memchr(position, '\n', end - position));
        if (feed == nullptr) feed = end;
        if (feed > position) lines.emplace_back(position, feed - position);
        position = feed + 1;
    }
    simdjson::dom::parser parser;
    size_t good = 0, bad = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int round = std::atoi(argv[2]); round > 0; round--) {
        for (const auto line : lines) {
            // The bytes after a line are those of the next, so the parser may read past its end.
            simdjson::dom::element element;
            if (parser.parse(line.data(), line.size(), false).get(element) == simdjson::SUCCESS) good++;
            else bad++;
        }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("{\"parsed\":%zu,\"refused\":%zu,\"seconds\":%.6f,\"kernel\":\"%s\"}\n", good, bad, took.count(),
                simdjson::get_active_implementation()->name().c_str());
    return 0;
}
