import CNghttp2
import TestSeeds
import Testing

@testable import HTTP2Session

struct SessionMemoryTests {
    fileprivate struct Block {
        var bytes: UnsafeMutableRawPointer
        var count: Int
        var mark: UInt8

        var isWhole: Bool { UnsafeRawBufferPointer(start: bytes, count: count).allSatisfy { $0 == mark } }

        func fill() { bytes.initializeMemory(as: UInt8.self, repeating: mark, count: count) }
    }

    @Test(arguments: TestSeed.all(1...3))
    func `blocks of all sizes keep their contents until they are freed`(seed: TestSeed) throws {
        var random = seed.generator
        let memory = SessionMemory()
        let functions = memory.functions
        var blocks: [Block] = []
        var isWhole = true
        for number in 0..<20_000 {
            let count = Int.random(in: 0...(number % 7 == 0 ? 5000 : 300), using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0,
                1 where blocks.count < 500:
                let block = Block(
                    bytes: try #require(functions.malloc(count, functions.mem_user_data)), count: count,
                    mark: UInt8(truncatingIfNeeded: number))
                block.fill()
                blocks.append(block)
            case 2 where !blocks.isEmpty:
                let index = Int.random(in: blocks.indices, using: &random)
                var block = blocks[index]
                let kept = min(count, block.count)
                block.bytes = try #require(functions.realloc(block.bytes, count, functions.mem_user_data))
                block.count = kept
                isWhole = isWhole && block.isWhole
                block.count = count
                block.fill()
                blocks[index] = block
            default:
                guard !blocks.isEmpty else { break }
                let block = blocks.swapAt(random: &random)
                isWhole = isWhole && block.isWhole
                functions.free(block.bytes, functions.mem_user_data)
            }
        }
        for block in blocks {
            isWhole = isWhole && block.isWhole
            functions.free(block.bytes, functions.mem_user_data)
        }
        #expect(isWhole)
        #expect(blocks.allSatisfy { Int(bitPattern: $0.bytes) % 16 == 0 })
    }

    @Test func `cleared memory is zero, also where it is reused, and too large a size is refused`() throws {
        let memory = SessionMemory()
        let functions = memory.functions
        for _ in 0..<3 {
            let bytes = try #require(functions.calloc(10, 20, functions.mem_user_data))
            #expect(UnsafeRawBufferPointer(start: bytes, count: 200).allSatisfy { $0 == 0 })
            bytes.initializeMemory(as: UInt8.self, repeating: 0xFF, count: 200)
            functions.free(bytes, functions.mem_user_data)
        }
        #expect(functions.calloc(.max, 2, functions.mem_user_data) == nil)
        functions.free(nil, functions.mem_user_data)
        let fresh = try #require(functions.realloc(nil, 5, functions.mem_user_data))
        functions.free(fresh, functions.mem_user_data)
    }
}

extension [SessionMemoryTests.Block] {
    /// Removes a random block.
    fileprivate mutating func swapAt(random: inout TestGenerator) -> SessionMemoryTests.Block {
        swapAt(Int.random(in: indices, using: &random), count - 1)
        return removeLast()
    }
}
