import APNSModel
import APNSProvider
import GatewayTesting
import XCTest

/// Hears its own failures instead of failing, to see where they stand and what they say.
final class FailingXCTests: XCTestCase {
    private var heard: [(words: String, file: String, line: Int)] = []

    #if canImport(Darwin)
        override func record(_ issue: XCTIssue) {
            let location = issue.sourceCodeContext.location
            heard.append((issue.compactDescription, location?.fileURL.path ?? "", location?.lineNumber ?? 0))
        }
    #else
        override func recordFailure(
            withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
        ) {
            heard.append((description, filePath, lineNumber))
        }
    #endif

    func testAFailureStandsAtTheLineOfTheExpectation() async throws {
        var line = 0
        try await withGateway(device: "ab12") { gateway in
            let notification = try gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#)
            _ = try await gateway.provider.send(notification)
            line = #line + 1
            await gateway.expect(.sent(priority: .immediate), within: .zero)
        }
        let failures = heard
        heard = []
        let wanted = "apns-priority: wanted 10, found 5"
        guard failures.count == 1, failures[0].line == line, failures[0].file.hasSuffix("FailingXCTests.swift"),
            failures[0].words.contains(wanted)
        else { preconditionFailure("wanted one failure at line \(line) with \"\(wanted)\", found \(failures)") }
    }

    func testWhatIsRequiredIsAnError() async throws {
        try await withGateway { gateway in
            do {
                try await gateway.require(.sent(), within: .zero)
                XCTFail("nothing was sent")
            } catch let error as ExpectationNotMet {
                XCTAssertTrue(error.description.contains("the gateway got 0 of 0"), error.description)
            }
        }
    }
}
