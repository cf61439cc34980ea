#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Makes the running test fail at a line of its source, in Swift Testing and in XCTest.
///
/// Both come with the toolchain, so a test target links them anyway. Where neither is there, nobody hears of an issue,
/// and `TestGateway.require` and `check` are left.
enum TestIssue {
    static func record(
        _ message: String, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) {
        #if canImport(Testing)
            if Test.current != nil || isSwiftTestingAlone {
                Issue.record(
                    Comment(rawValue: message),
                    sourceLocation: SourceLocation(
                        fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
                return
            }
        #endif
        #if canImport(XCTest)
            XCTFail(message, file: filePath, line: line)
        #endif
    }

    /// A task that no test is the parent of knows no test. `swift test` runs the tests of the two in processes of their
    /// own, and says so to the one of Swift Testing.
    private static let isSwiftTestingAlone: Bool = {
        let arguments = CommandLine.arguments
        guard let option = arguments.firstIndex(of: "--testing-library"), option + 1 < arguments.count else {
            return false
        }
        return arguments[option + 1] == "swift-testing"
    }()
}
