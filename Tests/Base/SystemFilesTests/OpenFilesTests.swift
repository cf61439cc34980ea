import Testing

@testable import SystemFiles

struct OpenFilesTests {
    @Test(arguments: [
        (256, 136, 69), (1_024, 548, 276), (20_000, 13_000, 6_800), (1_048_576, 13_000, 1_035_376),
    ])
    func `control port and senders share what the system allows`(limit: Int, control: Int, senders: Int) {
        let shares = OpenFiles.shares(of: limit)
        #expect(shares.control == control && shares.senders == senders)
        #expect(shares.control + shares.senders < limit, "something is left for files")
    }
}
