#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Makes the running test fail at a line of its source, in Swift Testing and in XCTest.
///
/// Both come with the toolchain, and a test target links them. Without either, issues are not reported; use
/// `TestGateway.require` and `check` then.
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

    /// A detached task has no current test. `swift test` runs the tests of the two libraries in separate processes, and
    /// passes this option to the one of Swift Testing.
    private static let isSwiftTestingAlone: Bool = {
        let arguments = CommandLine.arguments
        guard let option = arguments.firstIndex(of: "--testing-library"), option + 1 < arguments.count else {
            return false
        }
        return arguments[option + 1] == "swift-testing"
    }()
}
