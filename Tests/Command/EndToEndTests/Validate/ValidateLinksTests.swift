import Foundation
import Testing

struct ValidateLinksTests {
    @Test func `a finding has the address of its rule where a page is named`() async throws {
        try await withCommand { command in
            try command.write(#"{"aps":"Hi"}"#, to: "a.json")
            let page = "https://example.com/rules.html"
            for form in ["text", "json", "sarif", "junit", "github", "gitlab", "bitbucket"] {
                let linked = try await command.run(["validate", "--format", form, "--rules-page", page, "a.json"])
                #expect(linked.status == 1 && linked.output.contains("\(page)#aps-object"), "\(linked.text)")
                // Not a terminal, so that no page of this machine is named.
                let plain = try await command.run(["validate", "--format", form, "a.json"])
                #expect(!plain.output.contains("#aps-object") && !plain.output.contains("\u{1B}"), "\(plain.text)")
            }
            let wrong = try await command.run(["validate", "--rules-page", "rules.html", "a.json"])
            #expect(wrong.status == 64 && wrong.errors.contains("it must be an address"), "\(wrong.text)")
        }
    }
}
