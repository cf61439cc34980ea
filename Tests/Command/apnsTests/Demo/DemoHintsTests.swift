import Testing

@testable import apns

struct DemoHintsTests {
    @Test func `samples are those of the current folder, or of the checkout of the script`() {
        func samples(_ command: String?, _ paths: Set<String>) -> String? {
            DemoHints.samples(command: command) { paths.contains($0) }
        }
        #expect(samples("tools/apns", ["payloads/pass"]) == "payloads/pass")
        #expect(samples("/home/ada/kit/tools/apns", ["/home/ada/kit/payloads/pass"]) == "/home/ada/kit/payloads/pass")
        #expect(samples("../tools/apns", ["../payloads/pass"]) == "../payloads/pass")
        #expect(samples("./apns", ["./../payloads/pass"]) == "./../payloads/pass")
        #expect(samples("apns", ["/payloads/pass"]) == nil)
        #expect(samples(nil, []) == nil)
    }

    @Test func `each line calls the command as the user does, and names no folder that is not there`() {
        let lines = DemoHints.lines(command: "tools/apns", samples: "it's/payloads/pass")
        #expect(lines.allSatisfy { $0.hasPrefix("tools/apns ") })
        #expect(lines.contains { $0.contains(#"validate 'it'\''s/payloads/pass'"#) })
        #expect(!DemoHints.lines(command: "apns", samples: nil).contains { $0.contains("validate") })
    }
}
