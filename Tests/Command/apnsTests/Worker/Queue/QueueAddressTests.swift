import Testing

@testable import apns

@Suite struct QueueAddressTests {
    @Test(arguments: [
        ("redis://h/0?password-file=/nowhere/at/all", ExitStatus.failed),
        ("rediss://h/0?ca=/nowhere/at/all", .failed),
        ("redis://h/0?password-file", .badArguments), ("redis://h/zero", .badArguments),
        ("mysql://h/0", .badArguments),
    ])
    func `a file that cannot be used is no wrong argument, and a URL that cannot be read is one`(
        _ url: String, _ status: ExitStatus
    ) async {
        let error = await #expect(throws: CommandError.self) { _ = try await QueueAddress.open(url) }
        #expect(error?.status == status, "\(error?.message ?? "")")
    }
}
