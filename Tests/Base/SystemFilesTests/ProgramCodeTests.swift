import Testing

@testable import SystemFiles

struct ProgramCodeTests {
    @Test func `code is taken out that is mapped from a file and as it is there`() {
        let maps = """
            55a0e8f0f000-55a0e8f10000 r--p 00000000 08:01 16670744                   /usr/bin/apns
            Rss:                   4 kB
            Anonymous:             0 kB
            55a0e8f10000-55a0e8f20000 r-xp 00001000 08:01 16670744                   /usr/bin/apns
            Size:                 64 kB
            Rss:                  64 kB
            Private_Dirty:        64 kB
            Anonymous:             0 kB
            AnonHugePages:         0 kB
            Swap:                  0 kB
            SwapPss:               0 kB
            VmFlags: rd ex mr mw me
            55a0e8f20000-55a0e8f30000 rw-p 00011000 08:01 16670744                   /usr/bin/apns
            Anonymous:             4 kB
            7f0000000000-7f0000001000 r-xp 00000000 08:01 77                         /usr/lib/written by a debugger.so
            Anonymous:             4 kB
            Swap:                  0 kB
            7f0000001000-7f0000003000 r-xp 00000000 08:01 78                         /usr/lib/libc.so.6 (deleted)
            Anonymous:             0 kB
            Swap:                  0 kB
            7f0000003000-7f0000004000 r-xp 00000000 00:00 0
            Anonymous:             0 kB
            Swap:                  0 kB
            7f0000004000-7f0000006000 r-xp 00000000 00:00 0                          [vdso]
            Anonymous:             0 kB
            Swap:                  0 kB
            7f0000006000-7f0000007000 r-xp 00000000 08:01 79                         /usr/lib/written and swapped out.so
            Anonymous:             0 kB
            Swap:                  4 kB
            7f0000007000-7f0000008000 r-xp 00000000 08:01 80                         /usr/lib/of an unknown swap.so
            Anonymous:             0 kB

            """
        #expect(
            ProgramCode.ranges(inMaps: maps) == [
                0x55a0_e8f1_0000..<0x55a0_e8f2_0000, 0x7f00_0000_1000..<0x7f00_0000_3000,
            ])
        #expect(ProgramCode.ranges(inMaps: "") == [])
    }

    @Test func `a program runs on after it`() {
        let released = ProgramCode.release()
        #if os(Linux)
            #expect(released > 0)
        #else
            #expect(released == 0)
        #endif
    }
}
