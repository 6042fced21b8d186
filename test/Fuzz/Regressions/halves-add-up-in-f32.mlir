// A sum of many halves goes on growing past 2048 (f16) and 256 (bf16).
// RUN: ambit-fuzz %s --shapes 40 --statics 2 --no-shrink --keep %t
module {
  sym.symbol "n" min 1 max 64 declared
  func.func @main(%x: tensor<?x?x8xf16, #sym.shape<[n, n, 8]>>, %y: tensor<?x?xbf16, #sym.shape<[n, n]>>) -> (tensor<?x1xf16, #sym.shape<["8*n*n", 1]>>, tensor<bf16>, tensor<?xbf16, #sym.shape<[n]>>) {
    %0 = graph.reshape %x to <["8*n*n", 1]> : (tensor<?x?x8xf16, #sym.shape<[n, n, 8]>>) -> tensor<?x1xf16, #sym.shape<["8*n*n", 1]>>
    %1 = graph.softmax %0 along 0 {log} : (tensor<?x1xf16, #sym.shape<["8*n*n", 1]>>) -> tensor<?x1xf16, #sym.shape<["8*n*n", 1]>>
    %2 = graph.map %y : (tensor<?x?xbf16, #sym.shape<[n, n]>>) -> tensor<?x?xbf16, #sym.shape<[n, n]>> {
    ^bb0(%a: bf16):
      %cst = arith.constant 9.0 : bf16
      %8 = arith.addf %a, %cst : bf16
      graph.yield %8 : bf16
    }
    %3 = graph.reduce %2 <sum> [0, 1] : (tensor<?x?xbf16, #sym.shape<[n, n]>>) -> tensor<bf16>
    %4 = graph.reduce %2 <sum> [0] : (tensor<?x?xbf16, #sym.shape<[n, n]>>) -> tensor<?xbf16, #sym.shape<[n]>>
    return %1, %3, %4 : tensor<?x1xf16, #sym.shape<["8*n*n", 1]>>, tensor<bf16>, tensor<?xbf16, #sym.shape<[n]>>
  }
}
