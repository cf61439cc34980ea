import Testing

@testable import SystemFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

struct CrashGuardTests {
    private struct Fault: Error, CustomStringConvertible {
        let description = "it does not work"
    }

    @Test func `the value of a body is returned, and what it throws is described`() throws {
        #expect(try CrashGuard.run(within: .seconds(60)) { 42 } == 42)
        #expect(throws: CrashGuard.Failure.threw("it does not work")) {
            try CrashGuard.run(within: .seconds(60)) { () throws -> Int in throw Fault() }
        }
    }

    @Test func `a body that takes too long is left alone`() {
        let limit = Duration.milliseconds(20)
        #expect(throws: CrashGuard.Failure.tookTooLong(limit)) {
            try CrashGuard.run(within: limit) { () -> Int in while true { sleep(1_000) } }
        }
    }

    @Test func `a crash ends the body alone, and the next one runs`() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<3 {
                do throws(CrashGuard.Failure) {
                    _ = try CrashGuard.run(within: .seconds(60)) { () -> Int in fatalError("on purpose") }
                } catch {
                    guard case .crashed = error else { fatalError("\(error)") }
                }
                let value = try? CrashGuard.run(within: .seconds(60)) { 1 }
                precondition(value == 1)
            }
        }
    }

    @Test func `without a body a crash ends the process as ever`() async {
        await #expect(processExitsWith: .failure) {
            _ = try? CrashGuard.run(within: .seconds(60)) { 1 }
            fatalError("on purpose")
        }
    }
}
