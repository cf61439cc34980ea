import Testing

@testable import apns

@Suite struct QueueAddressTests {
    @Test(arguments: [
        ("redis://h/0?password-file=/nowhere/at/all", true), ("rediss://h/0?ca=/nowhere/at/all", true),
        ("redis://h/0?password-file", false), ("redis://h/zero", false), ("mysql://h/0", false),
    ])
    func `a file that cannot be used is no wrong argument, and a URL that cannot be read is one`(
        _ url: String, isFile: Bool
    ) async {
        let error = await #expect(throws: CommandError.self) { _ = try await QueueAddress.open(url) }
        #expect(error?.status == (isFile ? .failed : .badArguments), "\(error?.message ?? "")")
    }
}
