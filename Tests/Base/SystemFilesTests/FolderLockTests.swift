import Foundation
import SystemFiles
import Testing

struct FolderLockTests {
    let place: TemporaryPlace

    init() throws { place = try TemporaryPlace() }

    @Test func `a folder is locked once, until the lock ends`() throws {
        let lock = try FolderLock.take(place.path)
        var pauses = 0
        let failure = #expect(throws: PrivateFolder.Failure.self) {
            _ = try FolderLock.take(place.path, attempts: 3) { pauses += 1 }
        }
        #expect(failure?.isBusy == true && pauses == 2)
        _ = consume lock
        // With the usual pauses: a program that another test starts has a copy of the lock until it runs.
        _ = try FolderLock.take(place.path)
        #expect(PrivateFolder.names(in: place.path) == [])
    }

    @Test func `a waiting process gets the lock when it becomes free`() throws {
        var first: FolderLock? = try FolderLock.take(place.path)
        var pauses = 0
        let second = try FolderLock.take(place.path) {
            pauses += 1
            first = nil
            Thread.sleep(forTimeInterval: 0.01)
        }
        #expect(pauses >= 1 && first == nil)
        _ = consume second
    }

    @Test func `a file or nothing cannot be locked`() throws {
        try place.write("", to: "file")
        for name in ["file", "none"] {
            let failure = #expect(throws: PrivateFolder.Failure.self) { _ = try FolderLock.take(place.file(name)) }
            #expect(failure?.isMissing == true)
        }
    }
}
