import Foundation
import SystemFiles
import Testing

@testable import GatewayRuntime

final class RotatedFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-\(UUID())").path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func lines(_ range: Range<Int>) -> [[UInt8]] { range.map { Array("{\"number\":\($0)}\n".utf8) } }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    private func numbers(_ path: String) -> [Int] {
        (text(path) ?? "").split(separator: "\n").compactMap { Int($0.dropFirst(10).dropLast()) }
    }

    @Test func `a file that is full gets a number, and the oldest is removed`() throws {
        let path = folder + "/record"
        var file = try RotatedFile(path: path, maximumBytes: 45, files: 3)
        // Three lines of 13 bytes fit.
        for number in 0..<11 { try file.append(lines(number..<number + 1)) }
        #expect(numbers(path) == [9, 10])
        #expect(numbers(path + ".1") == [6, 7, 8])
        #expect(numbers(path + ".2") == [3, 4, 5])
        #expect(text(path + ".3") == nil)
    }

    @Test func `one call can fill several files, and no line is lost or cut`() throws {
        let path = folder + "/record"
        var file = try RotatedFile(path: path, maximumBytes: 45, files: 100)
        try file.append(lines(0..<20))
        let all = (0..<10).reversed().map { $0 == 0 ? path : "\(path).\($0)" }.flatMap { numbers($0) }
        #expect(all == Array(0..<20))
    }

    @Test func `what an earlier run has written counts`() throws {
        let path = folder + "/record"
        do {
            var file = try RotatedFile(path: path, maximumBytes: 45, files: 2)
            try file.append(lines(0..<3))
        }
        var file = try RotatedFile(path: path, maximumBytes: 45, files: 2)
        try file.append(lines(3..<4))
        #expect(numbers(path) == [3])
        #expect(numbers(path + ".1") == [0, 1, 2])
    }

    @Test func `a line that is longer than a file has one of its own`() throws {
        let path = folder + "/record"
        var file = try RotatedFile(path: path, maximumBytes: 4, files: 3)
        try file.append(lines(0..<3))
        #expect(numbers(path) == [2] && numbers(path + ".1") == [1] && numbers(path + ".2") == [0])
    }

    @Test func `with one file the record begins again`() throws {
        let path = folder + "/record"
        var file = try RotatedFile(path: path, maximumBytes: 45, files: 1)
        try file.append(lines(0..<4))
        #expect(numbers(path) == [3])
        #expect(text(path + ".1") == nil)
    }

    @Test func `where another program renames or removes the file, lines go to a new one`() throws {
        let path = folder + "/record"
        var file = try RotatedFile(path: path, maximumBytes: 45, files: 3)
        try file.append(lines(0..<2))
        #expect(file.replacements == 0)
        try FileManager.default.moveItem(atPath: path, toPath: folder + "/moved")
        try file.append(lines(2..<3))
        #expect(numbers(folder + "/moved") == [0, 1] && numbers(path) == [2])
        // Another file is there already, with a line.
        try FileManager.default.removeItem(atPath: path)
        try Data(lines(3..<4)[0]).write(to: URL(fileURLWithPath: path))
        try file.append(lines(4..<5))
        #expect(numbers(path) == [3, 4])
        try FileManager.default.removeItem(atPath: path)
        // A new file begins empty, so that it is rotated at its own size.
        try file.append(lines(5..<8))
        #expect(numbers(path) == [5, 6, 7])
        #expect(file.replacements == 3)
        #expect(text(path + ".1") == nil)
    }

    @Test func `a file that cannot be renamed is an error that names both names`() throws {
        let path = folder + "/record"
        try FileManager.default.createDirectory(atPath: path + ".1/full", withIntermediateDirectories: true)
        var file = try RotatedFile(path: path, maximumBytes: 4, files: 2)
        let error = #expect(throws: LineFile.Failure.self) { try file.append(lines(0..<2)) }
        #expect(error?.description.contains("record cannot be renamed to \(path).1") == true)
        // It goes on when it can.
        try FileManager.default.removeItem(atPath: path + ".1")
        try file.append(lines(2..<3))
        #expect(numbers(path).last == 2)
    }
}
